package differential;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * Runs the scenarios that standard input names, one a line as `Topics.makes java-1`, the second being what its names
 * start with; some at a time, since most of what they do is to wait. On standard output one JSON object for each.
 * Arguments: bootstrap servers, and those where clients log in.
 */
final class Main {
    private static final int AT_A_TIME = 6;
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
        try (Brokers brokers = new Brokers(args[0], args.length > 1 ? args[1] : "")) {
            say(Map.of("methods", methods()));
            BufferedReader names = new BufferedReader(new InputStreamReader(System.in));
            for (String line = names.readLine(); line != null; line = names.readLine()) {
                String[] words = line.split(" ");
                pool.execute(() -> say(resultOf(brokers, words[0], words[1])));
            }
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.HOURS);
        }
        System.exit(0);
    }

    /** All that an application can call, to tell what no scenario calls. */
    private static Set<String> methods() {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : List.of(Admin.class, Producer.class, Consumer.class)) {
            for (Method method : type.getMethods()) {
                if (!Modifier.isStatic(method.getModifiers())) names.add(type.getSimpleName() + "." + method.getName());
            }
        }
        return names;
    }

    private static Map<String, Object> resultOf(Brokers brokers, String name, String slug) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("scenario", name);
        try (Run run = new Run(brokers, slug)) {
            scenario(name).invoke(null, run);
            run.end(result);
        } catch (InvocationTargetException error) {
            result.put("failure", textOf(error.getCause()));
        } catch (Throwable error) {
            result.put("failure", textOf(error));
        }
        return result;
    }

    private static Method scenario(String name) throws ReflectiveOperationException {
        int dot = name.indexOf('.');
        Method method = Class.forName("differential." + name.substring(0, dot))
            .getDeclaredMethod(name.substring(dot + 1), Run.class);
        method.setAccessible(true);
        return method;
    }

    private static String textOf(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static synchronized void say(Map<String, Object> result) {
        try {
            System.out.println(JSON.writeValueAsString(result));
        } catch (Exception error) {
            System.out.println("{\"scenario\":\"" + result.get("scenario") + "\",\"failure\":\"not told in JSON\"}");
        }
        System.out.flush();
    }
}
