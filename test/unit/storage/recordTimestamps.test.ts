import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { type LogConfig, longMax } from '../../../src/storage/logConfig.ts';
import { appendAsClient, openLogs, startMs } from './support.ts';

const now = BigInt(startMs);
const int64Max = 2n ** 63n - 1n;

/** What is said of this timestamp, which comes after one of 0; undefined if nothing. */
async function complaint(
  timestamp: bigint,
  config: Partial<LogConfig> = {},
): Promise<string | undefined> {
  const { log } = await openLogs({ config });
  const batch = buildRecordBatch({ records: [{ timestamp: 0n }, { timestamp }] });
  try {
    await appendAsClient(log, batch);
    return undefined;
  } catch (error) {
    return (error as { recordErrors: { message: string }[] }).recordErrors[0]?.message;
  }
}

describe('timestamps that no number holds', () => {
  it('are told to the last digit, in Kafka’s words', async () => {
    const nanoseconds = now * 1_000_000n + 1n;
    const [earliest, latest] = [now - int64Max, now + 3_600_000n];
    assert.equal(
      await complaint(nanoseconds),
      `Timestamp ${nanoseconds} of message with offset 1 is out of range. The timestamp should be within [${earliest}, ${latest}]`,
    );
  });

  it('are taken where there is no limit', async () => {
    assert.equal(await complaint(int64Max, { messageTimestampAfterMaxMs: longMax }), undefined);
    assert.equal(await complaint(now - int64Max), undefined);
  });

  it('are in the future where Java’s difference from now wraps', async () => {
    const told = await complaint(-(2n ** 63n));
    assert.match(told ?? '', /^Timestamp -9223372036854775808 of message with offset 1 /);
  });

  it('may have a limit that wraps, as it is told', async () => {
    const config = { messageTimestampAfterMaxMs: longMax, messageTimestampBeforeMaxMs: startMs };
    const told = await complaint(-(2n ** 60n), config);
    assert.match(told ?? '', new RegExp(`\\[0, ${BigInt.asIntN(64, now + int64Max)}\\]$`));
  });
});
