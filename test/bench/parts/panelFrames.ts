// What a page's frames and tasks take while something goes on in it, beside those of an empty page of another browser:
// a second page in the same window would hide the first, and a page that is hidden draws once a second.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, FrameLocator, Page } from 'playwright-core';
import type { Figure, Pairs } from '../measure.ts';

const PHASE_MS = 10_000;

export interface Watched {
  /** The window that the frame is in: both run in one thread. */
  readonly window: Page;
  readonly frame: FrameLocator;
  readonly empty: Page;
}

/** Measures for ten seconds, in which `meanwhile` goes on. */
export async function framesOf(
  what: string,
  { window, frame, empty }: Watched,
  meanwhile?: (forMs: number) => Promise<void>,
): Promise<(Figure | Pairs)[]> {
  const session = await window.context().newCDPSession(window);
  const endTrace = await traceTasks(session, what);
  const [ours, peer] = await Promise.all([
    frame.locator('body').evaluate<number[], undefined>(gaps, undefined),
    empty.locator('body').evaluate<number[], undefined>(gaps, undefined),
    meanwhile?.(PHASE_MS - 1000),
  ]);
  const tasks = await endTrace();
  await session.detach();
  const pairs = (name: string, unit: string, of: (all: number[]) => number): Pairs => ({
    what: `${what}: ${name}`,
    unit,
    ours: [of(ours)],
    peer: [of(peer)],
    peerName: 'an empty page',
  });
  return [
    pairs('longest gap between frames', 'ms', (all) => Math.max(...all)),
    pairs('gaps over 50 ms', '', (all) => all.filter((gap) => gap > 50).length),
    {
      what: `${what}: longest task of the window's thread, of the processor`,
      unit: 'ms',
      ours: [tasks.longestMs],
      goal: '<= 50 ms',
    },
    { what: `${what}: all its tasks, of the processor`, unit: 'ms', ours: [tasks.allMs] },
  ];
}

/** Text, as it runs in the page: the bench knows no DOM types. */
const gaps = `new Promise((resolve) => {
  const gaps = [];
  let last = performance.now();
  const endMs = last + ${PHASE_MS};
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    if (now < endMs) requestAnimationFrame(frame);
    else resolve(gaps);
  };
  requestAnimationFrame(frame);
})`;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Of the processor, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What a trace holds where a person wants to look at it. */
const PROFILED = [
  'toplevel',
  'v8',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.cpu_profiler',
];

interface Tasks {
  readonly longestMs: number;
  readonly allMs: number;
}

/** Of the processor, so that what other processes take of a busy machine counts for nothing. */
async function traceTasks(session: CDPSession, what: string): Promise<() => Promise<Tasks>> {
  const folder = process.env['KAFKA_WORKBENCH_BENCH_PROFILES'];
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: folder ? PROFILED : ['toplevel'] },
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    const file = `panel-${what.replace(/\W+/g, '-')}.trace.json`;
    if (folder) writeFileSync(path.join(folder, file), JSON.stringify(events));
    return busiestThread(events);
  };
}

/** Of all renderers the window's is the one that does anything. */
function busiestThread(events: readonly TraceEvent[]): Tasks {
  const threads = new Map<string, number[]>();
  for (const { name, ph, pid, tid, args } of events) {
    if (ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain')
      threads.set(`${pid}/${tid}`, []);
  }
  for (const { name, ph, pid, tid, tdur = 0 } of events) {
    if (ph === 'X' && name === 'ThreadControllerImpl::RunTask')
      threads.get(`${pid}/${tid}`)?.push(tdur / 1000);
  }
  const all = [...threads.values()].map((tasks) => ({
    longestMs: Math.max(0, ...tasks),
    allMs: tasks.reduce((sum, task) => sum + task, 0),
  }));
  const [busiest] = all.sort((a, b) => b.allMs - a.allMs);
  if (!busiest || busiest.allMs === 0) throw new Error('no task of a page was traced');
  return busiest;
}
