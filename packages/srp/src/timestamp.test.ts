import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTimestamp, parseIsoTimestamp, parseTimestamp } from './timestamp.ts';

test('writes one-digit and two-digit days in English and UTC', () => {
  assert.equal(formatTimestamp(Date.UTC(2025, 4, 7, 0, 9, 40, 999)), 'Wed May 7 00:09:40 UTC 2025');
  assert.equal(formatTimestamp(Date.UTC(2026, 11, 31, 12)), 'Thu Dec 31 12:00:00 UTC 2026');
  assert.equal(parseTimestamp('Mon Jan 5 23:59:59 UTC 2026'), Date.UTC(2026, 0, 5, 23, 59, 59));
});

test('the weekday need not match the date', () => {
  assert.equal(parseTimestamp('Tue May 7 00:09:40 UTC 2025'), Date.UTC(2025, 4, 7, 0, 9, 40));
});

test('a written timestamp reads as the same second', () => {
  const moments = fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 11, 31) });
  fc.assert(
    fc.property(moments, (ms) => {
      assert.equal(parseTimestamp(formatTimestamp(ms)), Math.floor(ms / 1000) * 1000);
      assert.equal(parseIsoTimestamp(new Date(ms).toISOString()), ms);
    }),
  );
});

test('accepts only the documented format', () => {
  const refused: unknown[] = [
    'Tue May  7 00:09:40 UTC 2025',
    'Tue May 07 00:09:40 UTC 2025',
    'Tue May 7 0:09:40 UTC 2025',
    'Tue May 7 24:00:00 UTC 2025',
    'Tue May 7 00:60:40 UTC 2025',
    'Tue May 7 00:09:60 UTC 2025',
    'Tue May 7 00:09:40 GMT 2025',
    'Tue May 7 00:09:40 utc 2025',
    'tue may 7 00:09:40 UTC 2025',
    'Di Mai 7 00:09:40 UTC 2025',
    'Tue May 7 00:09:40 UTC 25',
    'Tue May 7 00:09:40 UTC 0025',
    'Tue May 7 00:09:40 UTC 2025\n',
    ' Tue May 7 00:09:40 UTC 2025',
    'Tue, May 7 00:09:40 UTC 2025',
    'Tue Feb 29 00:09:40 UTC 2025',
    'Tue Apr 31 00:09:40 UTC 2025',
    'Tue May 0 00:09:40 UTC 2025',
    'Tue May 32 00:09:40 UTC 2025',
    'Tue May ７ 00:09:40 UTC 2025',
    '2025-05-07T00:09:40Z',
    '',
    null,
    0,
    ['Tue May 7 00:09:40 UTC 2025'],
  ];
  for (const text of refused) assert.throws(() => parseTimestamp(text as string), { code: 'malformed_timestamp' });
  assert.equal(parseTimestamp('Thu Feb 29 00:00:00 UTC 2024'), Date.UTC(2024, 1, 29));
});

test('requires an existing date, a time and a zone in ISO timestamps', () => {
  assert.equal(parseIsoTimestamp('2025-05-07T02:09:40.5+02:00'), Date.UTC(2025, 4, 7, 0, 9, 40, 500));
  const refused: unknown[] = [
    '2025-05-07',
    '2025-05-07T00:09:40',
    '2025-05-07 00:09:40Z',
    '2025-02-30T00:09:40Z',
    '2025-13-01T00:09:40Z',
    '2025-05-07T24:00:00Z',
    '2025-05-07T00:09:40z',
    '+002025-05-07T00:09:40Z',
    'Tue May 7 00:09:40 UTC 2025',
    '',
    null,
  ];
  for (const text of refused) assert.throws(() => parseIsoTimestamp(text as string), { code: 'malformed_timestamp' });
});

test('throws for a time that cannot be written', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(999, 0), Date.UTC(10_000, 0)]) {
    assert.throws(() => formatTimestamp(ms), RangeError);
  }
});
