import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ERRORS, type ErrorCode, errorType } from './error-codes.ts';

test('the guide lists every error with its status and title', async () => {
  const guide = await readFile(new URL('../../../docs/reference/api.md', import.meta.url), 'utf8');
  const listed = [...guide.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| (.+)\. \|$/gm)].map(([, ...row]) => row);
  assert.deepEqual(
    listed,
    Object.entries(ERRORS).map(([code, { status, title }]) => [code, String(status), title]),
  );
});

test('the type of an error links to a page of this service', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) assert.equal(errorType(code), `/errors/${code}`);
});
