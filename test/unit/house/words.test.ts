import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ROOT, sourcesIn, wordsOfProduct } from '../../support/words.ts';

type Bundle = Readonly<Record<string, string>>;

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const bundleOf = (name: string): Bundle => JSON.parse(read(name)) as Bundle;

/** `{0}`, `{1}` … of a text, each once, in order. */
const placesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\d+\}/g)].map(([place]) => place))].sort();

/**
 * A particle of Korean differs by the sound that it follows, which a value may or may not have: it is written in
 * both forms, `{0}을(를)`.
 */
const guessedParticle = /\{\d+\}(?:은|는|을|를|이|가|과|와|으로|로)(?![가-힣(])/;

describe('the words of the product', () => {
  const words = wordsOfProduct();
  const korean = bundleOf('media/l10n/bundle.l10n.ko.json');
  const english = bundleOf('package.nls.json');
  const contributions = bundleOf('package.nls.ko.json');

  it('go through t() as literals, once a language is spoken [K3]', () => {
    assert.deepEqual(words.faults, []);
    assert.ok(words.messages.length > 700);
  });

  it('go through t(), all of them, where they are for people [K3]', () => {
    assert.deepEqual(words.bare, []);
  });

  it('are given as many values as they have places [K3]', () => {
    const wrong = words.messages.filter(({ text, values, place }) => {
      // The table of nouns has its figures filled in by `counted`.
      if (values === undefined || place.startsWith('src/shared/counted.ts')) return false;
      return placesIn(text).join() !== Array.from({ length: values }, (_, i) => `{${i}}`).join();
    });
    assert.deepEqual(wrong, []);
  });

  it('are all there in Korean, and nothing else is [K3]', () => {
    const said = new Set(words.messages.map(({ text }) => text));
    assert.deepEqual(
      [...said].filter((text) => !Object.hasOwn(korean, text)),
      [],
      'add these to media/l10n/bundle.l10n.ko.json',
    );
    assert.deepEqual(
      Object.keys(korean).filter((text) => !said.has(text)),
      [],
      'nobody says these any more',
    );
  });

  it('have the same values in Korean, and no particle that may not fit them [K3]', () => {
    const pairs = Object.entries(korean);
    assert.deepEqual(
      pairs.filter(([text, said]) => placesIn(text).join() !== placesIn(said).join()),
      [],
    );
    assert.deepEqual(
      pairs.filter(([, said]) => said.trim() === '' || guessedParticle.test(said)),
      [],
    );
  });

  it('of what is contributed are in English and in Korean, and all used [K3]', () => {
    assert.deepEqual(Object.keys(contributions), Object.keys(english));
    const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(english).sort());
    assert.deepEqual(
      Object.values(contributions).filter((said) => said.trim() === ''),
      [],
    );
  });

  it('of what is contributed link to the same commands in both languages [K3]', () => {
    const links = (text = ''): string[] =>
      [...text.matchAll(/\]\((command:[^)]+)\)|`[^`]+`/g)]
        .map(([link, command]) => command ?? link)
        .sort();
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(links(contributions[key]), links(text), key);
    }
  });

  it('are spoken by every page before its other modules load [K3]', () => {
    const pages = readdirSync(path.join(ROOT, 'webview'))
      .map((name) => `webview/${name}/index.ts`)
      .filter((file) => existsSync(path.join(ROOT, file)));
    assert.ok(pages.length > 0);
    for (const page of pages) {
      assert.equal(/^import .*;$/m.exec(read(page))?.[0], "import '../kit/language.ts';", page);
    }
  });

  it('are English on the broker’s side [K3]', () => {
    const speakers = ['protocol', 'storage', 'replication', 'coordinator', 'broker', 'cli']
      .flatMap((layer) => sourcesIn(`src/${layer}`))
      .filter((file) => read(file).includes('base/l10n.ts'));
    assert.deepEqual(speakers, []);
  });
});
