// The tail's panel in the editor while a producer in a process of its own writes 50,000 records a second: frames of its
// page beside those of an empty one, turns of the extension host beside those without the extension, and memory.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { startEmbedded } from '../../support/embedded.ts';
import { spawnOwned } from '../../support/process.ts';
import { EditorWindow } from '../../support/vscode/editorWindow.ts';
import { runHostTests } from '../../support/vscode/hostTests.ts';
import type { TurnFigures } from '../host/turns.ts';
import type { Figure, Pairs } from '../measure.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const VSIX = path.join(ROOT, 'kafka-workbench.vsix');
const PRODUCER = path.join(import.meta.dirname, '../host/steadyProducer.ts');
const PARTITIONS = 3;
const PER_SECOND = 50_000;
const PHASE_MS = 10_000;

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

async function watch(page: Page, bootstrap: string): Promise<(Figure | Pairs)[]> {
  const tail = await new EditorWindow(page).webview('[role=grid]');
  const empty = await page.context().newPage();
  const frames = (what: string, meanwhile?: () => Promise<void>) =>
    framesOf(what, { tail, empty, meanwhile });
  const figures: (Figure | Pairs)[] = await frames('at rest');
  const producer = spawnOwned(
    process.execPath,
    [PRODUCER, bootstrap, 'busy', String(PARTITIONS), String(PER_SECOND)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  try {
    await tail.getByText(/^[\d,]+ records ·/).waitFor();
    const [before, startedMs] = [await heldRecords(tail), performance.now()];
    figures.push(...(await frames('following')));
    const seconds = (performance.now() - startedMs) / 1000;
    const perSecond = ((await heldRecords(tail)) - before) / seconds;
    figures.push(figure('records in while following', 'rec/s', perSecond, '>= 50,000'));
    figures.push(...(await frames('scrolling', () => scroll(page, tail))));
    figures.push(...(await frames('typing a filter', () => typeFilter(tail))));
    const [filterMs, records] = [await untilFiltered(tail), await heldRecords(tail)];
    figures.push(figure('from the last letter until all is filtered', 's', filterMs / 1000));
    figures.push(figure('rows held', 'rows', records));
  } finally {
    producer.kill();
  }
  return figures;
}

interface Watched {
  readonly tail: FrameLocator;
  readonly empty: Page;
  readonly meanwhile: (() => Promise<void>) | undefined;
}

/** Gaps between frames of both pages at the same time. */
async function framesOf(
  what: string,
  { tail, empty, meanwhile }: Watched,
): Promise<(Figure | Pairs)[]> {
  console.error(new Date().toISOString(), what);
  const [ours, peer] = await Promise.all([
    tail.locator('body').evaluate<number[], undefined>(gaps, undefined),
    empty.locator('body').evaluate<number[], undefined>(gaps, undefined),
    meanwhile?.(),
  ]);
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

/** Up and down again through what is held, as with a wheel. */
async function scroll(page: Page, tail: FrameLocator): Promise<void> {
  const box = await tail.getByRole('grid').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const endMs = performance.now() + PHASE_MS - 1000;
  for (let step = 0; performance.now() < endMs; step++) {
    await page.mouse.wheel(0, step % 20 < 10 ? -3000 : 2500);
    await sleep(100);
  }
}

async function typeFilter(tail: FrameLocator): Promise<void> {
  const filter = tail.getByRole('combobox', { name: 'Filter records' });
  await filter.click();
  await filter.pressSequentially('O-9999', { delay: 300 });
  await filter.press('Enter');
}

async function untilFiltered(tail: FrameLocator): Promise<number> {
  const startedMs = performance.now();
  await tail.getByText(/^[\d,]+ matched · [\d,]+ rejected/).waitFor({ timeout: 60_000 });
  return performance.now() - startedMs;
}

async function heldRecords(tail: FrameLocator): Promise<number> {
  const text = await tail
    .getByText(/^[\d,]+ records? ·|^[\d,]+ of [\d,]+/)
    .first()
    .textContent();
  return Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''));
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
