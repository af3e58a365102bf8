/**
 * Has the page speak the language that came with it. The first import of every page, since other modules say their
 * words as they load.
 */
import * as v from 'valibot';
import { speak } from '../../src/base/l10n.ts';
import { translations } from '../../src/shared/contracts/language.ts';

const { lang, dataset } = document.documentElement;
if (dataset['words'] !== undefined)
  speak({ tag: lang, words: v.parse(translations, JSON.parse(dataset['words'])) });
