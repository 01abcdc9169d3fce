import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readJsonLines } from './read-json-lines.ts';

const DESTINATION = { userPoolId: 'us-east-1_Example01', resetPasswords: false };
const ADA = { username: 'ada', attributes: { email: 'ada@example.com' } };

async function readText(text: string) {
  return Array.fromAsync(readJsonLines(Readable.from([text]), DESTINATION));
}

test('each user has the number of its line; empty lines count, and a byte order mark is ignored', async () => {
  const users = ['ada', 'bob'].map((username) => JSON.stringify({ ...ADA, username }));
  for (const mark of ['', '\uFEFF']) {
    const records = await readText(`${mark}${users[0]}\n\n  \r\n${users[1]}\n`);
    assert.deepEqual(
      records.map(({ line, text }) => [line, text]),
      [
        [1, users[0]],
        [4, users[1]],
      ],
    );
  }
});

test('a preferred second factor is one that the pool knows, or none', async () => {
  const rows = [null, 'SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP', 'NOMFA', 1];
  const records = await readText(rows.map((preferred_mfa) => JSON.stringify({ ...ADA, preferred_mfa })).join('\n'));
  assert.deepEqual(
    records.map(({ content }) => 'user' in content),
    [true, true, true, true, false, false],
  );
});

test('a file that cannot be read fails with its own error', async () => {
  const input = createReadStream(new URL('no-such-file.jsonl', import.meta.url));
  await assert.rejects(Array.fromAsync(readJsonLines(input, DESTINATION)), { code: 'ENOENT' });
  const breaking = Readable.from(
    (async function* () {
      yield `${JSON.stringify(ADA)}\n`;
      throw Object.assign(new Error('the disk is gone'), { code: 'EIO' });
    })(),
  );
  const lines: number[] = [];
  const reading = async () => {
    for await (const { line } of readJsonLines(breaking, DESTINATION)) lines.push(line);
  };
  await assert.rejects(reading, { code: 'EIO' });
  assert.deepEqual(lines, [1]);
});
