// The row of the tail panel about time: D10.
import assert from 'node:assert/strict';
import { it } from 'mocha';
import type { Locator } from 'playwright-core';
import { newTopic, type Scene } from './bothClusters.ts';
import { type Input, write } from './records.ts';
import { TailPage } from './tailPage.ts';

const HOUR_MS = 3_600_000;

export function histogramRows(scene: () => Scene): void {
  it('shows records over time, and only those of the time that is brushed [D10]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.histogram');
    const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 4 * HOUR_MS;
    const inHour = (hour: number, count: number): Input[] =>
      Array.from({ length: count }, (_, i) => ({
        value: `hour ${hour}`,
        timestamp: BigInt(startMs + hour * HOUR_MS + i * 1000),
      }));
    await write(cluster, topic, [...inHour(0, 5), ...inHour(1, 20), ...inHour(2, 10)]);
    const page = await TailPage.open(scene(), topic);
    const histogram = page.frame.getByRole('group', { name: 'Records over time' });
    await histogram.getByText(/^35 records from .*\. Most within .*: \d+, from/).waitFor();
    const edge = (name: string): Locator => histogram.getByRole('slider', { name });
    const bins = Number(await edge('Last time').getAttribute('aria-valuemax'));
    await edge('First time').focus();
    // Past the first hour of two and a bit.
    for (let i = 0; i < Math.round(bins / 4); i++) await edge('First time').press('ArrowRight');
    await window.screenshot(`tail-brush-${cluster.name}`);
    await edge('First time').press('Enter');
    await page.shows(
      [...Array<string>(20).fill('hour 1'), ...Array<string>(10).fill('hour 2')],
      'value',
    );
    await page.button('All times').click();
    await page.holds('35 records');
    await page.button('All times').waitFor({ state: 'hidden' });

    const plot = (await histogram.locator('.plot').boundingBox()) ?? assert.fail('no plot');
    const across = (part: number): number => plot.x + plot.width * part;
    await window.page.mouse.move(across(0.9), plot.y + 5);
    await window.page.mouse.down();
    await window.page.mouse.move(across(0.999), plot.y + 5, { steps: 3 });
    await window.page.mouse.up();
    await page.shows(Array<string>(10).fill('hour 2'), 'value');
    await page.holds('10 records');
  });
}
