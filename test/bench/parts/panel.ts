// The tail's panel in the editor while a producer in a process of its own writes 50,000 records a second: frames of its
// page beside those of an empty one, turns of the extension host beside those without the extension, and memory.
import assert from 'node:assert/strict';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { startEmbedded } from '../../support/embedded.ts';
import { spawnOwned } from '../../support/process.ts';
import { launch } from '../../support/vscode/browser.ts';
import { EditorWindow } from '../../support/vscode/editorWindow.ts';
import { runHostTests } from '../../support/vscode/hostTests.ts';
import type { TurnFigures } from '../host/turns.ts';
import type { Figure, Pairs } from '../measure.ts';
import { framesOf, type Watched } from './panelFrames.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const VSIX = path.join(ROOT, 'kafka-workbench.vsix');
const PRODUCER = path.join(import.meta.dirname, '../host/steadyProducer.ts');
const PARTITIONS = 3;
const PER_SECOND = 55_000;

interface HostFigures {
  readonly without: TurnFigures;
  readonly tail: TurnFigures;
  readonly startMB: number;
  readonly peakMB: number;
}

export async function panel(): Promise<(Figure | Pairs)[]> {
  const broker = await startEmbedded();
  const folder = await mkdtemp(path.join(tmpdir(), 'panel-'));
  const [file, done] = [path.join(folder, 'figures.json'), path.join(folder, 'done')];
  const figures: (Figure | Pairs)[] = [];
  try {
    const client = new KafkaClient({ bootstrap: [broker.bootstrap] });
    const partitionCount = PARTITIONS;
    await createTopic(client, { name: 'busy', partitionCount, replicationFactor: 1 });
    client.dispose();
    const { failed } = await runHostTests({
      vsix: VSIX,
      files: [path.join(import.meta.dirname, 'panel.host.ts')],
      env: {
        KAFKA_WORKBENCH_BENCH_FILE: file,
        KAFKA_WORKBENCH_BENCH_DONE: done,
        KAFKA_WORKBENCH_BENCH_BOOTSTRAP: broker.bootstrap,
      },
      timeoutMs: 300_000,
      beside: async (page) => {
        try {
          figures.push(...(await watch(page, broker.bootstrap)));
        } finally {
          await writeFile(done, '');
        }
      },
    });
    assert.deepEqual(failed, []);
    const host = JSON.parse(await readFile(file, 'utf8')) as HostFigures;
    return [...figures, ...hostFigures(host)];
  } finally {
    await rm(folder, { recursive: true });
    await broker.stop();
  }
}

async function watch(window: Page, bootstrap: string): Promise<(Figure | Pairs)[]> {
  const other = await launch();
  const producer = new SteadyProducer(bootstrap);
  try {
    const frame = await new EditorWindow(window).webview('[role=grid]');
    const watched: Watched = { window, frame, empty: await other.newPage() };
    const figures = await framesOf('at rest', watched);
    producer.start();
    await frame.getByText(/^[\d,]+ records ·/).waitFor();
    const before = await producer.counts(frame);
    figures.push(...(await framesOf('following', watched)));
    figures.push(recordsIn(before, await producer.counts(frame)));
    figures.push(...(await framesOf('scrolling', watched, (ms) => scroll(window, frame, ms))));
    const { held } = await recordsOf(frame);
    figures.push(figure('rows held when the filter is typed', 'rows', held));
    figures.push(...(await framesOf('typing a filter', watched, () => typeFilter(frame))));
    await clearFilter(frame);
    figures.push(figure('text filter, while records come', 's', await filterSeconds(frame)));
    return figures;
  } finally {
    producer.stop();
    await other.close();
  }
}

interface Counts {
  readonly atMs: number;
  readonly sent: number;
  readonly read: number;
}

/** Sends a little more than the goal, so that it can be reached. */
class SteadyProducer {
  readonly #bootstrap: string;
  #process: ChildProcess | undefined;
  #sent = 0;

  constructor(bootstrap: string) {
    this.#bootstrap = bootstrap;
  }

  start(): void {
    const args = [PRODUCER, this.#bootstrap, 'busy', String(PARTITIONS), String(PER_SECOND)];
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    this.#process = spawnOwned(process.execPath, args, { stdio });
    assert.ok(this.#process.stdout);
    createInterface(this.#process.stdout).on('line', (line) => {
      this.#sent = (JSON.parse(line) as { sent: number }).sent;
    });
  }

  async counts(frame: FrameLocator): Promise<Counts> {
    const { held, dropped } = await recordsOf(frame);
    return { atMs: performance.now(), sent: this.#sent, read: held + dropped };
  }

  stop(): void {
    this.#process?.kill();
  }
}

function recordsIn(before: Counts, after: Counts): Pairs {
  const seconds = (after.atMs - before.atMs) / 1000;
  return {
    what: 'records in while following',
    unit: 'rec/s',
    ours: [(after.read - before.read) / seconds],
    peer: [(after.sent - before.sent) / seconds],
    peerName: 'the producer',
    goal: '>= 50,000 rec/s',
  };
}

/** Up and down again through what is held, as with a wheel. */
async function scroll(window: Page, frame: FrameLocator, forMs: number): Promise<void> {
  const box = await frame.getByRole('grid').boundingBox();
  assert.ok(box);
  await window.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const endMs = performance.now() + forMs;
  for (let step = 0; performance.now() < endMs; step++) {
    await window.mouse.wheel(0, step % 20 < 10 ? -3000 : 2500);
    await sleep(100);
  }
}

async function typeFilter(frame: FrameLocator): Promise<void> {
  const filter = frame.getByRole('combobox', { name: 'Filter records' });
  await filter.click();
  await filter.pressSequentially('O-9999', { delay: 300 });
  await filter.press('Enter');
}

async function clearFilter(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Clear filter' }).click();
  await frame.getByText(/^[\d,]{7,} records ·/).waitFor();
}

/** From Enter until every row that is held by then has been looked at. */
async function filterSeconds(frame: FrameLocator): Promise<number> {
  const filter = frame.getByRole('combobox', { name: 'Filter records' });
  await filter.fill('O-9999');
  const startedMs = performance.now();
  await filter.press('Enter');
  const done = /^[\d,]+ matched · [\d,]+ rejected · [\d,]+ failed$/;
  await frame.getByText(done).waitFor({ timeout: 60_000 });
  return (performance.now() - startedMs) / 1000;
}

/** As the panel says it. */
async function recordsOf(frame: FrameLocator): Promise<{ held: number; dropped: number }> {
  const said = (await frame.locator('.status .figures').textContent()) ?? '';
  const figures = /^([\d,]+) records?(?: · oldest ([\d,]+) dropped)?/.exec(said);
  const [held = 0, dropped = 0] = (figures ?? [])
    .slice(1)
    .map((text: string | undefined) => Number((text ?? '0').replaceAll(',', '')));
  return { held, dropped };
}

function figure(what: string, unit: string, value: number, goal?: string): Figure {
  return { what, unit, ours: [value], ...(goal !== undefined && { goal }) };
}

function hostFigures({ without, tail, startMB, peakMB }: HostFigures): (Figure | Pairs)[] {
  const turns = (what: string, key: keyof TurnFigures, goal?: string): Pairs => ({
    what: `extension host: ${what}`,
    unit: 'ms',
    ours: [tail[key]],
    peer: [without[key]],
    peerName: 'without the extension',
    ...(goal !== undefined && { goal }),
  });
  return [
    turns('longest turn', 'longestTurnMs'),
    turns('longest turn, of the processor', 'longestTurnCpuMs', '<= 50 ms'),
    figure('extension host: all turns, ours', 'ms', tail.oursMs),
    figure("extension host: all turns, the editor's", 'ms', tail.editorsMs),
    figure('extension host and worker: memory before', 'MB', startMB),
    figure('extension host and worker: memory at most', 'MB', peakMB),
  ];
}
