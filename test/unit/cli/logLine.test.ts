import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { logLine } from '../../../src/cli/logLine.ts';

describe('a line of the log', () => {
  it('[A1] lets no client write a line of its own or command the terminal', () => {
    assert.equal(
      logLine(0, 'INFO', 'from é\t\u001b[2J\r\u009b\nWARN all is lost'),
      '1970-01-01T00:00:00.000Z INFO from é\t\\u001b[2J\\u000d\\u009b\n  WARN all is lost\n',
    );
  });
});
