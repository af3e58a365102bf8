import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  describeSeek,
  formatSeek,
  parseSeek,
  type Seek,
  seekExamples,
  SeekSyntaxError,
} from '../../../src/shared/seek.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const local = (...parts: [number, number, number?, number?, number?, number?, number?]): number =>
  new Date(...parts).getTime();
const from = (epochMs: number): Seek => ({ start: { kind: 'time', epochMs } });
const ago = (agoMs: number): Seek => ({ start: { kind: 'ago', agoMs } });
const offset = (value: bigint): Seek => ({ start: { kind: 'offset', offset: value } });

describe('parseSeek', () => {
  const accepted: [string, Seek][] = [
    ['earliest', { start: { kind: 'earliest' } }],
    ['beginning', { start: { kind: 'earliest' } }],
    ['End', { start: { kind: 'latest' } }],
    ['beginning:end', { start: { kind: 'earliest' }, end: { kind: 'latest' } }],
    ['@-1h:end', { start: { kind: 'ago', agoMs: 3_600_000 }, end: { kind: 'latest' } }],
    ['latest', { start: { kind: 'latest' } }],
    ['  LATEST  ', { start: { kind: 'latest' } }],
    ['last 100', { start: { kind: 'last', count: 100 } }],
    ['last 1,000,000', { start: { kind: 'last', count: 1_000_000 } }],
    ['last100', { start: { kind: 'last', count: 100 } }],
    ['0', offset(0n)],
    ['6100', offset(6100n)],
    ['6,100', offset(6100n)],
    ['0006100', offset(6100n)],
    ['6100..', offset(6100n)],
    ['9223372036854775807', offset(2n ** 63n - 1n)],
    ['group billing', { start: { kind: 'group', group: 'billing' } }],
    ['group  a b : c.. ', { start: { kind: 'group', group: 'a b : c..' } }],
    ['group 🐙', { start: { kind: 'group', group: '🐙' } }],
    ['group constructor', { start: { kind: 'group', group: 'constructor' } }],

    ['@2026-11-29', from(local(2026, 10, 29))],
    ['@2026-11-29T14:00', from(local(2026, 10, 29, 14))],
    ['@2026-11-29 14:00', from(local(2026, 10, 29, 14))],
    ['@2026-11-29t14:00:05', from(local(2026, 10, 29, 14, 0, 5))],
    ['@2026-11-29T14:00:05.123456789', from(local(2026, 10, 29, 14, 0, 5, 123))],
    ['@2026-11-29T14:00:05.1', from(local(2026, 10, 29, 14, 0, 5, 100))],
    ['@2026-11-29T14:00Z', from(Date.UTC(2026, 10, 29, 14))],
    ['@2026-11-29T14:00+09:00', from(Date.UTC(2026, 10, 29, 5))],
    ['@2026-11-29T14:00-0330', from(Date.UTC(2026, 10, 29, 17, 30))],
    ['@2026-11-29T14:00+09', from(Date.UTC(2026, 10, 29, 5))],
    ['@2028-02-29T00:00Z', from(Date.UTC(2028, 1, 29))],
    ['@1764400000000', from(1_764_400_000_000)],

    ['@-1h', ago(HOUR)],
    ['@-90m', ago(90 * MINUTE)],
    ['@-2d', ago(48 * HOUR)],
    ['@-1w', ago(7 * 24 * HOUR)],
    ['@-1h30m', ago(90 * MINUTE)],
    ['@-250ms', ago(250)],
    ['@-PT1H', ago(HOUR)],
    ['@-pt90m', ago(90 * MINUTE)],
    ['@-P2D', ago(48 * HOUR)],
    ['@-P1W', ago(7 * 24 * HOUR)],
    ['@-P1DT1H30M1.5S', ago(24 * HOUR + 90 * MINUTE + 1500)],
  ];
  for (const [text, expected] of accepted) {
    it(`reads “${text}”`, () => assert.deepEqual(parseSeek(text), expected));
  }

  const ranges: [string, Seek][] = [
    ['6100:6200', { ...offset(6100n), end: { kind: 'offset', offset: 6200n } }],
    ['6,100 .. 6,200', { ...offset(6100n), end: { kind: 'offset', offset: 6200n } }],
    ['6100:latest', { ...offset(6100n), end: { kind: 'latest' } }],
    ['earliest:6200', { start: { kind: 'earliest' }, end: { kind: 'offset', offset: 6200n } }],
    ['earliest..latest', { start: { kind: 'earliest' }, end: { kind: 'latest' } }],
    ['last 5:latest', { start: { kind: 'last', count: 5 }, end: { kind: 'latest' } }],
    ['6100:@-10m', { ...offset(6100n), end: { kind: 'ago', agoMs: 10 * MINUTE } }],
    ['@-1h:-10m', { ...ago(HOUR), end: { kind: 'ago', agoMs: 10 * MINUTE } }],
    ['@-1h:@-10m', { ...ago(HOUR), end: { kind: 'ago', agoMs: 10 * MINUTE } }],
    ['@-PT1H..-PT10M', { ...ago(HOUR), end: { kind: 'ago', agoMs: 10 * MINUTE } }],
    ['@-1h:6200', { ...ago(HOUR), end: { kind: 'offset', offset: 6200n } }],
    ['@-1h..', ago(HOUR)],
  ];
  for (const [text, expected] of ranges) {
    it(`reads the range “${text}”`, () => assert.deepEqual(parseSeek(text), expected));
  }

  const start = local(2026, 10, 29, 14);
  const colons: [string, number, number][] = [
    ['@2026-11-29T14:00:2026-11-29T15:00', start, local(2026, 10, 29, 15)],
    ['@2026-11-29T14:00:@2026-11-29T15:00', start, local(2026, 10, 29, 15)],
    ['@2026-11-29T14:00:30:@2026-11-29T14:01', start + 30_000, start + MINUTE],
    [
      '@2026-11-29T14:00Z:2026-11-29T15:00Z',
      Date.UTC(2026, 10, 29, 14),
      Date.UTC(2026, 10, 29, 15),
    ],
    ['@2026-11-29T14:00+09:00:2026-11-30', Date.UTC(2026, 10, 29, 5), local(2026, 10, 30)],
    ['@2026-11-29T14:00+09:2026-11-30', Date.UTC(2026, 10, 29, 5), local(2026, 10, 30)],
    ['@2026-11-29:2026-11-30', local(2026, 10, 29), local(2026, 10, 30)],
    ['@1764400000000:@1764400000001', 1_764_400_000_000, 1_764_400_000_001],
  ];
  for (const [text, startMs, endMs] of colons) {
    it(`tells the colons of times from the one between them in “${text}”`, () =>
      assert.deepEqual(parseSeek(text), {
        ...from(startMs),
        end: { kind: 'time', epochMs: endMs },
      }));
  }

  it('takes two digits after a colon as the seconds of the time, never as an end', () =>
    assert.deepEqual(parseSeek('@2026-11-29T14:00:30'), from(start + 30_000)));

  it('ends a time range at an offset where the end does not look like a time', () =>
    assert.deepEqual(parseSeek('@2026-11-29T14:00:6200'), {
      ...from(start),
      end: { kind: 'offset', offset: 6200n },
    }));

  const refused: [string, number, RegExp][] = [
    ['', 0, /^At character 1, say where to start: expected earliest, latest, last 100/],
    ['   ', 3, /say where to start/],
    ['la', 0, /“la” is not a place in a log/],
    ['earliest!', 8, /did not expect “!” here: expected the end of the line or a colon/],
    ['oldest', 0, /“oldest” is not a place/],
    ['constructor', 0, /not a place/],
    ['__proto__', 0, /did not expect “__proto__” here/],
    ['last', 4, /say how many records, from 1 up: expected last 100/],
    ['last 0', 5, /from 1 up/],
    ['last -5', 5, /from 1 up/],
    ['last 99999999999999999999', 5, /from 1 up/],
    ['group', 5, /name the group, after a space: expected group billing/],
    ['group    ', 5, /name the group/],
    ['groups', 0, /“groups” is not a place/],
    ['-100', 0, /an offset is not negative: expected last 100 for the newest records/],
    ['-1h', 0, /a time begins with @: expected @-1h/],
    ['-PT1H', 0, /a time begins with @: expected @-PT1H/],
    ['2026-11-29T14:00', 0, /a time begins with @: expected @2026-11-29T14/],
    ['9223372036854775808', 0, /past the largest offset: expected an offset up to 9,223,372,036,/],
    ['6,1000', 1, /did not expect “,1000”/],
    ['6100 6200', 5, /did not expect “6200” here/],
    ['6100:', 5, /say where to stop, or leave the colon out to follow/],
    ['6100:last 5', 5, /“last” says where to start, not where to stop/],
    ['6100:group x', 5, /“group” says where to start/],
    ['6100:-10m', 5, /a time begins with @: expected @-10m/],
    ['6100:6200:6300', 9, /did not expect “:6300” after the end of the range/],
    ['6200:6100', 5, /the end is not after the start, 6,200/],
    ['6100:6100', 5, /the end is not after the start/],
    ['6100:earliest', 5, /nothing lies before the earliest record/],
    ['6100:beginning', 5, /nothing lies before the earliest record/],
    ['endless', 0, /“endless” is not a place in a log/],
    ['latest:latest', 7, /nothing lies between the two/],
    ['@-10m:-1h', 6, /the end is not after the start/],
    ['@2026-11-29:2026-11-29', 12, /the end is not after the start/],
    ['@', 1, /a time is missing: expected 2026-11-29T14:00,/],
    ['@ -1h', 1, /a space is not a time/],
    ['@yesterday', 1, /“yesterday” is not a time/],
    ['@14:00', 1, /“14:00” is not a time/],
    ['@2026', 1, /is not a time/],
    ['@+1h', 1, /from now is in the future: expected -1h/],
    ['@1969-12-31', 1, /no record is from 1969/],
    ['@2026-13-01', 6, /there is no month 13: expected 01 to 12/],
    ['@2026-00-01', 6, /there is no month 00/],
    ['@2026-02-30', 9, /2026-02 has no day 30: expected 01 to 28/],
    ['@2026-11-29T24:00', 12, /there is no hour 24/],
    ['@2026-11-29T14:60', 15, /there is no minute 60/],
    ['@2026-11-29T14:00:60', 18, /there is no second 60/],
    ['@2026-11-29T14:00+25:00', 17, /\+25:00 is not a zone: expected Z or -18:00 to/],
    ['@2026-11-29T14:00+09:75', 17, /is not a zone/],
    ['@999999999999999', 1, /past the year 9999/],
    ['@12000-01-01', 1, /past the year 9999/],
    ['12000-01-01T00:00', 0, /past the year 9999/],
    ['@-', 2, /how long is missing: expected -1h/],
    ['@-1', 2, /“1” is no duration/],
    ['@-1.5h', 2, /“1.5h” is no duration/],
    ['@-1M', 2, /“1M” is no duration/],
    ['@-1h30', 4, /“30” is no duration/],
    ['@-0h', 1, /this is no time ago: expected latest/],
    ['@-200000w', 1, /over a hundred years ago: expected earliest/],
    ['@-P1M', 2, /no duration: .* months vary in length/],
    ['@-P', 2, /no duration/],
    ['@-PT', 2, /no duration/],
    ['@-P1DT', 2, /no duration/],
    ['@-PT1H1D', 2, /no duration/],
  ];
  for (const [text, position, message] of refused) {
    it(`refuses “${text}” at ${position}`, () =>
      assert.throws(
        () => parseSeek(text),
        (error: unknown) => {
          assert.ok(error instanceof SeekSyntaxError);
          assert.match(error.message, message);
          assert.equal(error.position, position);
          return true;
        },
      ));
  }

  it('refuses a line without end before it looks at it', () => {
    for (const text of ['9'.repeat(1_000_000), `group ${'x'.repeat(1_000_000)}`]) {
      assert.throws(() => parseSeek(text), /longer than 1000 characters/);
    }
  });

  it('refuses or reads whatever is typed, in a message of bounded length', () => {
    const pieces = [
      '@',
      '-',
      ':',
      '..',
      '6100',
      '1h',
      'P',
      'T',
      'last',
      'group',
      ' ',
      '\0',
      '٣',
      '💥',
    ];
    pieces.push('2026-11-29', 'T14:00', '+09:00', 'latest', '\u202e', '__proto__', '\n', ',');
    let state = 7;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647);
    for (let i = 0; i < 20_000; i++) {
      const count = 1 + (next() % 8);
      const text = Array.from({ length: count }, () => pieces[next() % pieces.length]).join('');
      try {
        const seek = parseSeek(text);
        assert.deepEqual(parseSeek(formatSeek(seek)), seek, text);
      } catch (error) {
        assert.ok(error instanceof SeekSyntaxError, text);
        assert.ok(error.position >= 0 && error.position <= text.length, text);
        assert.ok(error.message.length < 400, text);
      }
    }
  });
});

describe('formatSeek', () => {
  for (const [text, seek] of [
    ...accepted(),
    ...seekExamples().map(({ text }) => [text, parseSeek(text)] as const),
  ]) {
    it(`writes “${text}” so that it reads the same anywhere`, () =>
      assert.deepEqual(parseSeek(formatSeek(seek)), seek));
  }

  function accepted(): (readonly [string, Seek])[] {
    const texts = [
      '6,100',
      '@2026-11-29T14:00:05.123',
      '@-90m',
      '@-PT1H..-10m',
      '@2026-11-29T14:00:6200',
    ];
    return texts.map((text) => [text, parseSeek(text)]);
  }

  it('writes an absolute time with its zone', () =>
    assert.match(
      formatSeek(parseSeek('@2026-11-29T14:00')),
      /^@2026-11-29T14:00(Z|[+-]\d\d:\d\d)$/,
    ));

  it('writes durations in their largest units', () =>
    assert.equal(formatSeek(parseSeek('@-90m:-PT0.25S')), '@-1h30m:@-250ms'));
});

describe('describeSeek', () => {
  const cases: [string, string][] = [
    ['latest', 'From the end of the log, then follow.'],
    ['earliest', 'From the earliest record kept, then follow.'],
    ['last 1', 'The newest record of each partition, then follow.'],
    ['last 1000', 'The newest 1,000 records of each partition, then follow.'],
    ['6100:6200', 'From offset 6,100 up to offset 6,200 (not included).'],
    ['6100:latest', 'From offset 6,100 up to the end of the log as it is now.'],
    ['@-90m:-10m', 'From 1 hour 30 minutes ago up to 10 minutes ago.'],
    ['group billing', 'From the offsets that group billing has committed, then follow.'],
  ];
  for (const [text, sentence] of cases) {
    it(`says what “${text}” does`, () => assert.equal(describeSeek(parseSeek(text)), sentence));
  }

  it('names an absolute time with its zone', () =>
    assert.match(
      describeSeek(parseSeek('@2026-11-29T14:00')),
      /^From 2026-11-29T14:00(Z|[+-]\d\d:\d\d), then/,
    ));
});
