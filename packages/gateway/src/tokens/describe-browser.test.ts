import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeBrowser } from './describe-browser.ts';

test('browsers and systems have the names that their users know, and unknown ones are null', () => {
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';
  for (const [userAgent, browser, system] of [
    [safari, 'Safari', 'iOS'],
    [edge, 'Microsoft Edge', 'Windows'],
    ['node', null, null],
    ['<script>alert(1)</script>', null, null],
    ['', null, null],
    [undefined, null, null],
  ] as const) {
    assert.deepEqual(describeBrowser(userAgent), { browser, system }, String(userAgent));
  }
});
