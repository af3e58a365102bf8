import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sendKeyOn } from '../../../webview/produce/sendKey.ts';

describe('the key that sends a record', () => {
  it('is named as the platform names it, and only so [E1]', () => {
    const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
    const on = (system: string): string => sendKeyOn(`Mozilla/5.0 (${system}) ${chrome}`);
    assert.equal(on('Macintosh; Intel Mac OS X 10_15_7'), 'Cmd+Enter');
    assert.equal(on('Windows NT 10.0; Win64; x64'), 'Ctrl+Enter');
    assert.equal(on('X11; Linux x86_64'), 'Ctrl+Enter');
  });
});
