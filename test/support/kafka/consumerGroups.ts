// Kafka's own kafka-consumer-groups, many commands in one JVM.
import { runJavaProgram } from './javaPrograms.ts';

/** The end of one command's output, as `ConsumerGroups.java` has it. */
const END = '\n\u0004\n';

/** Runs the commands in order; resolves with what each printed. */
export async function consumerGroups(commands: readonly (readonly string[])[]): Promise<string[]> {
  const lines = commands.map((args) => `${args.join('\t')}\n`).join('');
  const output = (await runJavaProgram('ConsumerGroups', Buffer.from(lines), 120_000)).toString();
  return output.split(END).slice(0, commands.length);
}
