import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'uqr';
import { createQrCodeUrl } from './qr-code.ts';

const TEXT = `otpauth://totp/localhost:ada%40example.test?secret=${'A2B3'.repeat(13)}&issuer=localhost`;

const createSvg = (text: string): string =>
  Buffer.from(createQrCodeUrl('builtin', text).replace('data:image/svg+xml;base64,', ''), 'base64').toString();

/** Draws the rectangles of a path as the browser would. */
function pixels(svg: string): readonly (readonly boolean[])[] {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  }
  return rows;
}

test('the image is in the URL itself and loads nothing', () => {
  assert.match(createQrCodeUrl('builtin', TEXT), /^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/);
  assert.doesNotMatch(
    createSvg(TEXT).replace('http://www.w3.org/2000/svg', ''),
    /:\/\/|href|url|<script|<image|<style/,
  );
});

test('it shows the modules of the code with a margin of four', () => {
  const drawn = pixels(createSvg(TEXT));
  assert.deepEqual(drawn, encode(TEXT, { border: 4 }).data);
  const isQuiet = (row: readonly boolean[] = []) => row.every((module) => !module);
  assert.ok(drawn.slice(0, 4).every(isQuiet) && drawn.slice(-4).every(isQuiet));
  assert.ok(drawn.every((row) => isQuiet(row.slice(0, 4)) && isQuiet(row.slice(-4))));
  assert.deepEqual(drawn[4]?.slice(4, 12), [true, true, true, true, true, true, true, false]);
});

test('no text of the request reaches the markup', () => {
  assert.doesNotMatch(createSvg('"><script>alert(1)</script>'), /script|alert/);
});

test('another library gets the percent-encoded text after its prefix', () => {
  const url = new URL(createQrCodeUrl('https://qr.example.test/?size=2&text=', TEXT));
  assert.deepEqual(
    [...url.searchParams],
    [
      ['size', '2'],
      ['text', TEXT],
    ],
  );
});
