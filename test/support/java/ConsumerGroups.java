import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.kafka.tools.consumer.group.ConsumerGroupCommand;

/**
 * Runs kafka-consumer-groups once for each line of standard input, with the line's arguments, which tabs part. A line
 * of U+0004 ends the output of each.
 */
public final class ConsumerGroups {
    public static void main(String[] args) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            ConsumerGroupCommand.main(line.split("\t"));
            System.out.println("\n\u0004");
        }
    }
}
