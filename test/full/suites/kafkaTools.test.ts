// Kafka's own command-line tools, each run once against Kafka and against our broker.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { exclusions } from './support/exclusions.ts';
import { checkSection } from './support/otherSuitesPage.ts';
import { type ToolContext, toolContext } from './support/toolContext.ts';
import { authorizerConfig, KINDS, startForSuite, type SuiteBroker } from './support/suiteBroker.ts';
import { type Tool, tools } from './support/tools.ts';

const LIMIT_MS = 60_000;
const outcomes = new Map<string, Map<string, boolean>>();

async function works(tool: Tool, context: ToolContext) {
  const { className, input = '', prints } = tool;
  const options = { input, timeoutMs: LIMIT_MS };
  const result = await runKafkaTool(className, tool.args(context), options).catch(
    (error: unknown) => ({
      code: 1,
      stdout: '',
      stderr: String(error),
    }),
  );
  const { code, stdout, stderr } = result;
  return { isDone: code === 0 && prints.test(stdout), said: `${code}\n${stdout}\n${stderr}` };
}

describe("Kafka's command-line tools", function () {
  this.timeout(3 * LIMIT_MS);
  const contexts = new Map<string, ToolContext>();
  const brokers: SuiteBroker[] = [];

  before(async () => {
    for (const [i, kind] of KINDS.entries()) {
      const broker = await startForSuite(kind, {
        listeners: [{ name: 'PLAINTEXT', protocol: 'PLAINTEXT', port: 9092 + i }],
        config: { ...authorizerConfig, 'group.initial.rebalance.delay.ms': 0 },
      });
      brokers.push(broker);
      contexts.set(kind, await toolContext(broker.bootstrap));
    }
  });
  after(() => Promise.all(brokers.map((broker) => broker.stop())));

  for (const tool of tools)
    it(`[A3] ${tool.name} does on our broker what it does on Kafka (embedded) (Kafka 4.4)`, async () => {
      const said: string[] = [];
      const outcome = new Map<string, boolean>();
      for (const [broker, context] of contexts) {
        const result = await works(tool, context);
        outcome.set(broker, result.isDone);
        said.push(`${broker}: ${result.said}`);
      }
      outcomes.set(tool.name, outcome);
      const isAlike = outcome.get('embedded') === outcome.get('Kafka 4.4');
      const isExcluded = tool.name in exclusions;
      assert.equal(isAlike, !isExcluded, `${exclusions[tool.name] ?? ''}\n${said.join('\n')}`);
    });

  it('[A3] docs/other-suites.md says how many there are and which do not (embedded) (Kafka 4.4)', () =>
    checkSection({ title: "Kafka's command-line tools", text: text() }));
});

function text(): string {
  const word = (isDone: boolean | undefined) => (isDone ? 'yes' : 'no');
  const count = (broker: string) =>
    [...outcomes.values()].filter((each) => each.get(broker)).length;
  const rows = [...outcomes].map(([name, each]) => {
    const note = tools.find((tool) => tool.name === name)?.note;
    const why = exclusions[name] ?? note ?? '';
    return `| ${name} | ${word(each.get('Kafka 4.4'))} | ${word(each.get('embedded'))} | ${why} |`;
  });
  return `Every tool that talks to a broker is run, from Kafka's own jars, and has done its work if it ends well and prints
what it prints then. Both brokers have an authorizer. ${count('Kafka 4.4')} of ${outcomes.size} did on Kafka 4.4, ${count('embedded')} of ${outcomes.size} on our broker.

| Tool | Kafka 4.4 | Embedded | Why not |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
