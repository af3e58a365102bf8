package differential;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;

/** Clients whose calls a run keeps, with what came of them. */
final class Recorded {
    private static final Set<String> UNSEEN = Set.of("close", "metrics", "poll", "toString", "hashCode", "equals");

    private Recorded() {
    }

    /** A client of this interface: each call is a step `Admin.createTopics`, and waits for what it comes to. */
    static <T> T client(Run run, Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (UNSEEN.contains(method.getName())) return invoke(target, method, args);
            String step = type.getSimpleName() + "." + method.getName();
            try {
                Object result = invoke(target, method, args);
                run.keep(step, result, keysIn(args));
                return result;
            } catch (RuntimeException error) {
                run.keepError(step, error);
                throw error;
            }
        }));
    }

    private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    /** What was asked about, by which results tell what came of it. */
    private static Collection<Object> keysIn(Object[] args) {
        List<Object> keys = new ArrayList<>();
        for (Object arg : args == null ? new Object[0] : args) {
            if (arg instanceof Map<?, ?> map) keys.addAll(map.keySet());
            else if (arg instanceof RemoveMembersFromConsumerGroupOptions options) keys.addAll(options.members());
            else if (arg instanceof Collection<?> items) items.forEach(item -> keys.add(keyOf(item)));
            else keys.add(arg);
        }
        return keys;
    }

    private static Object keyOf(Object item) {
        return item instanceof NewTopic topic ? topic.name() : item;
    }
}
