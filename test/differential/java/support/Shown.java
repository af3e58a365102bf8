package differential;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;

/**
 * Everything that an application can see of what a client gave it, as JSON has it: of objects of Kafka's what each
 * of their public methods without parameters returns, of futures what they come to. Integers of 64 bits are texts
 * that end in `n`.
 */
final class Shown {
    private static final long FUTURE_LIMIT_S = 90;
    private static final Set<String> OBJECT_METHODS = namesOf(Object.class);
    private static final Set<String> THROWABLE_METHODS = namesOf(Throwable.class);

    private final String mine;
    private boolean onlyMine;
    /** A client gave up waiting, which no scenario may take for an answer unless it is about that. */
    boolean timedOut;

    /** `mine`: what the names of a scenario start with. */
    Shown(String mine) {
        this.mine = mine;
    }

    Object of(Object value, boolean onlyMine) {
        this.onlyMine = onlyMine;
        return of(value);
    }

    private Object of(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Short) return value;
        if (value instanceof Long) return value + "n";
        if (value instanceof byte[] bytes) return new String(bytes, StandardCharsets.ISO_8859_1);
        if (value instanceof Object[] items) return ofItems(Arrays.asList(items));
        if (value instanceof Uuid id) return ofId(id);
        if (value instanceof Future<?> future) return ofFuture(future);
        if (value instanceof Throwable error) return ofError(error);
        if (value instanceof Optional<?> some) return some.map(this::of).orElse("none");
        if (value instanceof OptionalInt some) return some.isPresent() ? of(some.getAsInt()) : "none";
        if (value instanceof OptionalLong some) return some.isPresent() ? of(some.getAsLong()) : "none";
        if (value instanceof ConsumerRecords<?, ?> records) return ofRecords(records);
        if (value instanceof Map<?, ?> map) return ofMap(map);
        if (value instanceof Enum<?> constant) return constant.name();
        if (value instanceof Iterable<?> items) return ofItems(items);
        if (value.getClass().getName().startsWith("org.apache.kafka.")) return ofObject(value);
        return String.valueOf(value);
    }

    /** In the form that is known as an id wherever it stands. */
    private static String ofId(Uuid id) {
        if (id.equals(Uuid.ZERO_UUID)) return "no id";
        return new java.util.UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()).toString();
    }

    private Object ofFuture(Future<?> future) {
        try {
            Object value = future.get(FUTURE_LIMIT_S, TimeUnit.SECONDS);
            return value == null ? "done" : of(value);
        } catch (ExecutionException error) {
            return of(error.getCause());
        } catch (TimeoutException | InterruptedException error) {
            throw new IllegalStateException("a future that never comes", error);
        }
    }

    private Object ofError(Throwable error) {
        if (error instanceof CompletionException || error instanceof ExecutionException) return of(error.getCause());
        if (error instanceof org.apache.kafka.common.errors.TimeoutException) timedOut = true;
        Map<String, Object> shown = new TreeMap<>();
        shown.put("exception", error.getClass().getSimpleName());
        Errors code = Errors.forException(error);
        boolean isDefault = code.exception() != null && code.exception().getMessage().equals(error.getMessage());
        shown.put("message", isDefault ? "<default>" : error.getMessage());
        if (error.getCause() != null) shown.put("cause", of(error.getCause()));
        for (Method method : viewsOf(error)) {
            if (!THROWABLE_METHODS.contains(method.getName())) shown.put(method.getName(), ofCall(error, method));
        }
        return shown;
    }

    /** Each by its place, in the order in which it came. */
    private Object ofRecords(ConsumerRecords<?, ?> records) {
        Map<String, Object> shown = new TreeMap<>();
        List<String> order = new ArrayList<>();
        for (ConsumerRecord<?, ?> record : records) {
            String place = record.topic() + "-" + record.partition() + "@" + record.offset();
            order.add(place);
            shown.put(place, ofObject(record));
        }
        shown.put("order", order);
        return shown;
    }

    private Object ofMap(Map<?, ?> map) {
        Map<String, Object> shown = new TreeMap<>();
        map.forEach((key, value) -> {
            Object inner = of(value);
            if (isWanted(key + "=" + inner)) shown.put(String.valueOf(key), inner);
        });
        return shown;
    }

    private Object ofItems(Iterable<?> items) {
        List<Object> shown = new ArrayList<>();
        for (Object item : items) {
            Object inner = of(item);
            if (isWanted(String.valueOf(inner))) shown.add(inner);
        }
        if (items instanceof Set<?>) shown.sort((a, b) -> String.valueOf(a).compareTo(String.valueOf(b)));
        return shown;
    }

    private boolean isWanted(String text) {
        return !onlyMine || text.contains(mine);
    }

    private Object ofObject(Object value) {
        Map<String, Object> shown = new TreeMap<>();
        for (Method method : viewsOf(value)) shown.put(method.getName(), ofCall(value, method));
        return shown;
    }

    /** With what its methods of one parameter say about each of these keys. */
    Object ofResult(Object result, Collection<?> keys, boolean onlyMine) {
        this.onlyMine = onlyMine;
        Map<String, Object> shown = new TreeMap<>();
        for (Method method : viewsOf(result)) shown.put(method.getName(), ofCall(result, method));
        for (Method method : result.getClass().getMethods()) {
            if (method.getParameterCount() != 1 || !isView(method)) continue;
            for (Object key : keys) {
                if (method.getParameterTypes()[0].isInstance(key))
                    shown.put(method.getName() + " of " + key, ofCall(result, method, key));
            }
        }
        return withoutFirstOfAll(shown);
    }

    /** Where more than one has failed, which of them `all` tells of depends on the order of some hash. */
    private static Object withoutFirstOfAll(Map<String, Object> shown) {
        Map<String, Object> others = new TreeMap<>(shown);
        boolean hasFailed = String.valueOf(others.remove("all")).contains("exception=");
        if (hasFailed && others.toString().contains("exception=")) shown.put("all", "failed");
        return shown;
    }

    private Object ofCall(Object value, Method method, Object... args) {
        try {
            method.setAccessible(true);
            return of(method.invoke(value, args));
        } catch (InvocationTargetException error) {
            return of(error.getCause());
        } catch (IllegalAccessException error) {
            throw new IllegalStateException(error);
        }
    }

    private static List<Method> viewsOf(Object value) {
        return Arrays.stream(value.getClass().getMethods())
            .filter(method -> method.getParameterCount() == 0 && isView(method))
            .filter(method -> method.getReturnType() != value.getClass())
            .toList();
    }

    private static boolean isView(Method method) {
        return !Modifier.isStatic(method.getModifiers())
            && method.getReturnType() != void.class
            && !method.isBridge()
            && !OBJECT_METHODS.contains(method.getName());
    }

    /** Beside a class's own, those of a list's links. */
    private static Set<String> namesOf(Class<?> type) {
        Set<String> names = new HashSet<>(Set.of("iterator", "spliterator", "next", "prev"));
        for (Method method : type.getMethods()) names.add(method.getName());
        return names;
    }
}
