import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Back, back, runSteps, type Step } from '../../../../src/ui/connections/wizard.ts';

interface Draft {
  readonly answers: readonly string[];
  readonly isSecure: boolean;
}

const start: Draft = { answers: [], isSecure: false };

describe('questions one after the other', () => {
  /** Steps that log what they are asked and answer as a script says. */
  const scripted = (script: (string | Back)[]): { steps: Step<Draft>[]; asked: string[] } => {
    const asked: string[] = [];
    const step =
      (name: string): Step<Draft> =>
      (draft, { step: number, totalSteps }) => {
        asked.push(`${name} ${number}/${totalSteps} after ${draft.answers.join(' ')}`.trim());
        const answer = script.shift();
        if (answer === undefined) throw new Error('asked too much');
        if (answer === back) return Promise.resolve(back);
        const isSecure = name === 'protocol' ? answer === 'TLS' : draft.isSecure;
        return Promise.resolve({ answers: [...draft.answers, answer], isSecure });
      };
    return { steps: ['name', 'protocol', 'certificate', 'access'].map(step), asked };
  };

  const run = async (
    ...script: (string | Back)[]
  ): Promise<{ asked: string[]; answers: readonly string[] }> => {
    const { steps, asked } = scripted(script);
    const draft = await runSteps('test', start, ({ isSecure }) =>
      steps.filter((_step, i) => i !== 2 || isSecure),
    );
    return { asked, answers: draft.answers };
  };

  it('count those that the answers so far call for [B1]', async () => {
    const { asked, answers } = await run('prod', 'TLS', 'ca.pem', 'read');
    assert.deepEqual(asked, [
      'name 1/3 after',
      'protocol 2/3 after prod',
      'certificate 3/4 after prod TLS',
      'access 4/4 after prod TLS ca.pem',
    ]);
    assert.deepEqual(answers, ['prod', 'TLS', 'ca.pem', 'read']);
  });

  it('go back to the one before, with the answer that it had [B1]', async () => {
    const { asked } = await run('prod', 'TLS', back, 'plain', 'read');
    assert.deepEqual(asked.slice(2), [
      'certificate 3/4 after prod TLS',
      'protocol 2/4 after prod TLS',
      'access 3/3 after prod TLS plain',
    ]);
  });

  it('stay at the first where there is nothing before it [B1]', async () => {
    const { asked } = await run(back, 'prod', 'plain', 'read');
    assert.deepEqual(asked.slice(0, 2), ['name 1/3 after', 'name 1/3 after']);
  });

  it('end at once where a question is cancelled', async () => {
    const cancelled = (): Promise<never> => Promise.reject(new Error('cancelled'));
    await assert.rejects(
      runSteps('test', start, () => [cancelled]),
      /cancelled/,
    );
  });
});
