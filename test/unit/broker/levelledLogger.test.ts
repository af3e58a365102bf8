import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LevelledLogger } from '../../../src/broker/levelledLogger.ts';

describe('The log of a cluster', () => {
  it('[C7] has what its level lets through, and from INFO on all [KIP-412]', () => {
    const logged: string[] = [];
    const take = (message: string): unknown => logged.push(message);
    const logger = new LevelledLogger({ debug: take, info: take, warn: take, error: take });
    const written = (['FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const).map((level) => {
      logger.level = level;
      logged.length = 0;
      for (const each of ['debug', 'info', 'warn', 'error'] as const) logger[each](each);
      return logged.join(' ');
    });
    const all = 'debug info warn error';
    assert.deepEqual(written, ['', 'error', 'warn error', all, all, all]);
  });
});
