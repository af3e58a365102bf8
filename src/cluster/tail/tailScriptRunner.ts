import { readFile } from 'node:fs/promises';
import baseVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import { Channel, type Handlers, type Transport } from '../../shared/channel.ts';
import {
  fieldsNamedIn,
  type ScriptRecords,
  tailScript,
} from '../../shared/contracts/tailScript.ts';
import { scriptHarness, useScript } from './tailScriptHarness.ts';
import { picksIn } from './tailScriptPicks.ts';

const memoryLimitBytes = 64 * 1024 * 1024;
const stackLimitBytes = 512 * 1024;
/** Of one call. What ignores it is ended by the watchdog of the other side. */
const scriptTimeMs = 1000;
const outOfTime = (): string => t('the expression did not end within {0} s', scriptTimeMs / 1000);
/** Not a single verdict. */
const none = '[]';

type ScriptAnswer = v.InferOutput<(typeof tailScript)['judge']['result']>;

/** Runs a person's expression in QuickJS, which reaches nothing outside of itself. */
export async function serveScript(transport: Transport, wasmPath: string): Promise<void> {
  const sandbox = await Sandbox.start(wasmPath);
  const handlers: Handlers<typeof tailScript> = {
    compile: ({ source }) => {
      const problem = sandbox.compile(source);
      return problem === undefined ? {} : { problem };
    },
    judge: (records) => sandbox.judge(records),
  };
  new Channel({
    transport,
    serves: tailScript,
    handlers,
    calls: {},
    onInvalid: () => undefined,
  });
}

class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #deadlineMs = 0;

  static async start(wasmPath: string): Promise<Sandbox> {
    const { buffer, byteOffset, byteLength } = await readFile(wasmPath);
    const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
    // Its types are those of its CommonJS form, in which the variant lies one level deeper.
    const variant = newVariant(baseVariant as unknown as QuickJSSyncVariant, { wasmBinary });
    const module = await newQuickJSWASMModuleFromVariant(variant);
    return new Sandbox(module.newRuntime());
  }

  constructor(runtime: QuickJSRuntime) {
    this.#runtime = runtime;
    runtime.setMemoryLimit(memoryLimitBytes);
    runtime.setMaxStackSize(stackLimitBytes);
    runtime.setInterruptHandler(() => performance.now() > this.#deadlineMs);
    this.#context = runtime.newContext();
    const problem = this.#run(scriptHarness);
    if (problem !== undefined) throw new Error(problem);
  }

  /** The expression by itself first, so that it cannot close what surrounds it. */
  compile(source: string): string | undefined {
    const alone = `(\n${source}\n)`;
    const problem = this.#run(alone, { compileOnly: true });
    if (problem !== undefined) return this.#problemWithoutBrackets(source);
    return this.#run(useScript(alone, fieldsNamedIn(source), picksIn(source)));
  }

  /** What is wrong with an expression as it was typed: nobody typed the brackets that stand around it. */
  #problemWithoutBrackets(source: string): string {
    const problem = this.#run(`void 0,\n${source}`, { compileOnly: true });
    if (problem === undefined || problem.endsWith("expecting ';'")) {
      return t('This is more than one expression, or closes a bracket that is not open.');
    }
    return problem.endsWith(": ''") ? t('The expression is not complete.') : problem;
  }

  judge({ texts, cuts, count }: ScriptRecords): ScriptAnswer {
    // A string goes over as UTF-8 that ends at the first zero: what that cannot carry goes as JSON.
    const isPlain = !texts.includes('\0') && texts.isWellFormed();
    const given = isPlain
      ? [texts, cuts, String(count)]
      : [JSON.stringify(texts), cuts, String(count), 'json'];
    const problem = this.#call('__judge', given);
    const verdicts = this.#verdicts();
    if (problem === undefined) return { verdicts, tookTooLong: false };
    // It was cut off: at a record that may have had little of the time, unless it is the first.
    if (verdicts !== none) return { verdicts, tookTooLong: false };
    return { verdicts: JSON.stringify([problem]), tookTooLong: problem === outOfTime() };
  }

  /** What expressions may have meddled with: whoever reads it looks first whether it is what it should be. */
  #verdicts(): string {
    this.#allowTime();
    const result = this.#context.evalCode('__verdicts()');
    if (result.error) {
      result.error.dispose();
      return none;
    }
    const text = this.#context.getString(result.value);
    result.value.dispose();
    return text;
  }

  #call(name: string, texts: readonly string[]): string | undefined {
    this.#allowTime();
    const context = this.#context;
    const called = context.getProp(context.global, name);
    const handles = texts.map((text) => context.newString(text));
    try {
      return this.#problemOf(context.callFunction(called, context.undefined, ...handles));
    } finally {
      for (const handle of handles) handle.dispose();
      called.dispose();
    }
  }

  #run(code: string, options: { compileOnly?: boolean } = {}): string | undefined {
    this.#allowTime();
    return this.#problemOf(
      this.#context.evalCode(code, 'filter', { type: 'global', strict: true, ...options }),
    );
  }

  #problemOf(result: ReturnType<QuickJSContext['evalCode']>): string | undefined {
    if (!result.error) {
      result.value.dispose();
      return undefined;
    }
    const dumped: unknown = this.#context.dump(result.error);
    result.error.dispose();
    return scriptProblem(dumped);
  }

  #allowTime(): void {
    this.#deadlineMs = performance.now() + scriptTimeMs;
    // The stack may be deeper than where the limit was set.
    this.#runtime.setMaxStackSize(stackLimitBytes);
  }
}

function scriptProblem(dumped: unknown): string {
  const isError = typeof dumped === 'object' && dumped !== null && 'message' in dumped;
  if (!isError) return String(dumped);
  const { message } = dumped;
  const name = 'name' in dumped ? String(dumped.name) : 'Error';
  if (name === 'InternalError' && message === 'interrupted') {
    return outOfTime();
  }
  return `${name}: ${String(message)}`;
}
