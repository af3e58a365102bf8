// How figures are taken and told: in turn with the peer, medians with their range, ratios pair by pair.
import { readFile } from 'node:fs/promises';

/** A figure of both sides, one pair for each run. */
export interface Pairs {
  readonly what: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly peer: readonly number[];
  /** Left out: Apache Kafka. */
  readonly peerName?: string;
  /** What performance.md asks of the ratio ours / peer. */
  readonly goal?: string;
}

/** A figure of ours alone. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly goal?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/** Runs both sides `runs` times, ours first in each pair; what they return is kept in order. */
export async function inTurn<T>(
  runs: number,
  ours: () => Promise<T>,
  peer: () => Promise<T>,
): Promise<{ ours: T[]; peer: T[] }> {
  const results = { ours: [] as T[], peer: [] as T[] };
  for (let i = 0; i < runs; i++) {
    results.ours.push(await ours());
    results.peer.push(await peer());
  }
  return results;
}

export async function repeat<T>(runs: number, once: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < runs; i++) results.push(await once());
  return results;
}

const round = (value: number) =>
  Math.abs(value) >= 100
    ? value.toFixed(0)
    : Math.abs(value) >= 1
      ? value.toFixed(1)
      : value.toFixed(3);

function spread(values: readonly number[], unit: string): string {
  const range = `${round(Math.min(...values))}-${round(Math.max(...values))}`;
  return `${round(median(values))} ${unit} (${range})`;
}

/** One line of the report. */
export function tell(figure: Figure | Pairs): string {
  const goal = figure.goal === undefined ? '' : `; goal ${figure.goal}`;
  const ours = spread(figure.ours, figure.unit);
  if (!('peer' in figure)) return `${figure.what}: ${ours}, n=${figure.ours.length}${goal}`;
  const ratios = figure.ours.map((value, i) => value / (figure.peer[i] ?? NaN));
  const peer = spread(figure.peer, figure.unit);
  const { peerName = 'Kafka' } = figure;
  return `${figure.what}: ours ${ours}, ${peerName} ${peer}, ratio ${spread(ratios, 'x')}, n=${ratios.length}${goal}`;
}

/** Seconds of processor time that a process has used (Linux). */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Largest resident memory of a process so far, in MiB (Linux). */
export async function peakMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024);
}
