import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { QuotaRate } from '../../../../src/broker/quotas/quotaRate.ts';
import { TokenBucket } from '../../../../src/broker/quotas/tokenBucket.ts';

describe('A rate that has a quota', () => {
  it('[A9] lets a first burst through, as if nothing had been used in ten seconds', () => {
    const rate = new QuotaRate();
    rate.record(10_000, 0);
    assert.equal(rate.throttleMs(1000, 0), 0);
    rate.record(5_000, 0);
    assert.equal(rate.throttleMs(1000, 0), 5000);
  });

  it('[A9] waits less the longer ago it was, and not at all once it is forgotten', () => {
    const rate = new QuotaRate();
    rate.record(20_000, 0);
    assert.equal(rate.throttleMs(1000, 0), 10_000);
    assert.equal(rate.throttleMs(1000, 500), 9500);
    assert.equal(rate.throttleMs(1000, 10_999), 9001);
    assert.equal(rate.throttleMs(1000, 11_000), 0);
  });

  it('[A9] does not throttle who stays within it', () => {
    const rate = new QuotaRate();
    for (let ms = 0; ms < 60_000; ms += 100) {
      rate.record(99, ms);
      assert.equal(rate.throttleMs(1000, ms), 0, `after ${ms} ms`);
    }
  });

  it('[A9] takes back what was not used after all', () => {
    const rate = new QuotaRate();
    rate.record(20_000, 0);
    rate.record(-20_000, 1);
    assert.equal(rate.throttleMs(1000, 1), 0);
  });
});

describe('A bucket of permits', () => {
  it('[A9] gives more than there is once, and then makes wait until that has grown back', () => {
    const bucket = new TokenBucket(2, 0);
    assert.equal(bucket.throttleMs(2, 0), 0);
    bucket.take(30);
    assert.equal(bucket.throttleMs(2, 0), 4000);
    assert.equal(bucket.throttleMs(2, 3000), 1000);
    assert.equal(bucket.throttleMs(2, 4000), 0);
  });
});
