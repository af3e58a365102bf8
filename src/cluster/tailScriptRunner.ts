import { readFile } from 'node:fs/promises';
import baseVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { Channel, type Handlers, type Transport } from '../shared/channel.ts';
import { scriptFields, tailScript } from '../shared/contracts/tailScript.ts';

const memoryLimitBytes = 64 * 1024 * 1024;
const stackLimitBytes = 512 * 1024;
/** Of one call. What ignores it is ended by the watchdog of the other side. */
export const scriptTimeMs = 1000;

/**
 * What surrounds an expression. A payload that is a JSON object or array is one; any other is its text.
 * A number that JavaScript's cannot hold is a BigInt.
 */
const harness = `'use strict';
(() => {
  const { parse, stringify } = JSON;
  const number = (text) => (Number.isSafeInteger(+text) ? +text : BigInt(text));
  const payload = (text) => {
    if (typeof text !== 'string' || (text[0] !== '{' && text[0] !== '[')) return text;
    try { return parse(text); } catch { return text; }
  };
  let test = () => true;
  let verdicts = [];
  globalThis.__use = (next) => { test = next; };
  globalThis.__verdicts = () => stringify(verdicts);
  globalThis.__judge = (json) => {
    verdicts = [];
    for (const r of parse(json)) {
      try {
        const offset = r.offset === undefined ? undefined : number(r.offset);
        const timestamp = r.timestamp === undefined ? undefined : number(r.timestamp);
        verdicts.push(!!test(payload(r.key), payload(r.value), r.headers, offset, r.partition, timestamp));
      } catch (error) {
        verdicts.push(error instanceof Error ? error.name + ': ' + error.message : String(error));
      }
    }
  };
})();`;

/** Runs a person's expression in QuickJS, which reaches nothing outside of itself. */
export async function serveScript(transport: Transport, wasmPath: string): Promise<void> {
  const sandbox = await Sandbox.start(wasmPath);
  const handlers: Handlers<typeof tailScript> = {
    compile: ({ source }) => {
      const problem = sandbox.compile(source);
      return problem === undefined ? {} : { problem };
    },
    judge: ({ records }) => sandbox.judge(records),
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
    const problem = this.#run(harness);
    if (problem !== undefined) throw new Error(problem);
  }

  /** The expression by itself first, so that it cannot close what surrounds it. */
  compile(source: string): string | undefined {
    const alone = `(\n${source}\n)`;
    return (
      this.#run(alone, { compileOnly: true }) ??
      this.#run(`__use((${scriptFields.join(', ')}) => ${alone})`)
    );
  }

  judge(records: string): { verdicts: (boolean | string)[]; tookTooLong: boolean } {
    const problem = this.#call('__judge', records);
    const verdicts = this.#verdicts();
    if (problem === undefined) return { verdicts, tookTooLong: false };
    // It was cut off: at a record that may have had little of the time, unless it is the first.
    if (verdicts.length > 0) return { verdicts, tookTooLong: false };
    return { verdicts: [problem], tookTooLong: true };
  }

  #verdicts(): (boolean | string)[] {
    this.#allowTime();
    const result = this.#context.evalCode('__verdicts()');
    if (result.error) {
      result.error.dispose();
      return [];
    }
    const text = this.#context.getString(result.value);
    result.value.dispose();
    return JSON.parse(text) as (boolean | string)[];
  }

  #call(name: string, argument: string): string | undefined {
    this.#allowTime();
    const context = this.#context;
    const judge = context.getProp(context.global, name);
    const text = context.newString(argument);
    try {
      return this.#problemOf(context.callFunction(judge, context.undefined, text));
    } finally {
      text.dispose();
      judge.dispose();
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
    return `the expression did not end within ${scriptTimeMs / 1000} s`;
  }
  return `${name}: ${String(message)}`;
}
