import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { panelHtml } from '../../../../src/ui/panels/panelHtml.ts';

const page = panelHtml({
  language: { tag: 'ko', words: { 'the "words"': '<말>' } },
  title: '<orders> & "co" @ Embedded',
  cspSource: 'https://resources.example',
  nonce: 'abc123',
  scriptUri: 'https://resources.example/tail.js',
  styleUri: 'https://resources.example/tail.css',
});

describe("a panel's page", () => {
  it('lets nothing in but its own script, styles, fonts and images', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.split('; ');
    assert.deepEqual(policy, [
      "default-src 'none'",
      "script-src 'nonce-abc123'",
      'style-src https://resources.example',
      'font-src https://resources.example',
      'img-src https://resources.example',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('has one script, and it carries the nonce', () => {
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.match(page, /<script nonce="abc123" src="https:\/\/resources\.example\/tail\.js">/);
  });

  it('has no inline styles and no inline handlers', () => {
    assert.doesNotMatch(page, /<style|style="|\son\w+=/);
  });

  it('says its language, and has its words with it', () => {
    assert.match(
      page,
      /<html lang="ko" data-words="\{&#34;the \\&#34;words\\&#34;&#34;:&#34;&#60;말&#62;&#34;\}">/,
    );
  });

  it('shows names as text, whatever is in them', () => {
    assert.match(page, /<title>&#60;orders&#62; &#38; &#34;co&#34; @ Embedded<\/title>/);
  });
});
