import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { topicPages } from '../../../../src/client/admin/topicPages.ts';
import type { KafkaClient } from '../../../../src/client/kafkaClient.ts';

interface Cursor {
  readonly topicName: string;
  readonly partitionIndex: number;
}

/** A client of a broker that answers with pages without topics, which go on as given. */
function clientOf(cursors: readonly (Cursor | null)[]): { client: KafkaClient; asked: unknown[] } {
  const asked: unknown[] = [];
  const request = (_api: string, { cursor }: { cursor: Cursor | null }) => {
    const nextCursor = cursors[Math.min(asked.length, cursors.length - 1)];
    asked.push(cursor);
    return Promise.resolve({ topics: [], nextCursor });
  };
  return { client: { request } as unknown as KafkaClient, asked };
}

async function readAll(client: KafkaClient): Promise<unknown[]> {
  const pages: unknown[] = [];
  for await (const page of topicPages(client)) pages.push(page);
  return pages;
}

const at = (topicName: string, partitionIndex: number): Cursor => ({ topicName, partitionIndex });

describe('pages of topics', () => {
  it('go on with the next partition or topic, to the last one', async () => {
    const cursors = [at('a', 2000), at('a', 4000), at('b', 0)];
    const { client, asked } = clientOf([...cursors, null]);
    assert.deepEqual(await readAll(client), [[], [], [], []]);
    assert.deepEqual(asked, [null, ...cursors]);
  });

  for (const [what, again] of [
    ['the same', at('b', 1)],
    ['an earlier one', at('a', 5)],
  ] as const)
    it(`are given up where a broker goes on with ${what}, rather than asked for ever`, async () => {
      const { client, asked } = clientOf([at('b', 1), again]);
      await assert.rejects(readAll(client), /the same topics again/);
      assert.equal(asked.length, 2);
    });
});
