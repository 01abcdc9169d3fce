import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ExportedUser } from '@poolgate/pool';
import { writeCsv } from './export-users.ts';
import { readCsv } from './read-csv.ts';

const FORMULAS = [
  '=HYPERLINK("https://evil.test","x")',
  '+1+cmd|" /C calc"!A0',
  '-2+3',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  "'=1",
  "''=1",
  "'+49151",
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  ' =1',
  '\u00a0=1',
  '\ufeff=1',
  "' =1",
  'Ada;=1+1;x',
  'Ada;"=1"; @SUM(1)',
  "Ada;'=1",
  'Ada\t=1',
  'Ada\r\n=1',
  'Ada|-1',
  '+1;=2',
];
const HARMLESS = [
  'Ada',
  "O'Hara",
  "'quoted'",
  '+15550100',
  '1-2',
  'a=b',
  "'",
  '"=1"',
  ' 1',
  '',
  'a; b;c-d',
  'ends with \\',
  'a,b',
];

function userNamed(username: string, name: string): ExportedUser {
  return {
    username,
    sub: username,
    status: 'CONFIRMED',
    enabled: true,
    attributes: name === '' ? {} : { name, phone_number: '+4915112345678', 'custom:team': name },
    groups: [],
  } as unknown as ExportedUser;
}

async function* listed(users: readonly ExportedUser[]) {
  yield* users;
}

async function writeCsvLines(users: readonly ExportedUser[]): Promise<readonly string[]> {
  const task = { userPoolId: 'p', customAttributes: ['custom:team'], withPasswords: false, nowMs: 0 };
  return Array.fromAsync(writeCsv({ ...task, users: listed(users) }));
}

test('no cell of an export begins with what a spreadsheet would run', async () => {
  const users = FORMULAS.map((value, index) => userNamed(`${value}${index}`, value));
  const [, ...lines] = await writeCsvLines(users);
  assert.equal(lines.length, FORMULAS.length);
  for (const line of lines) {
    // A cell begins at the start of a line, after a comma, or in quotes after one of these.
    const cells = line.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
    for (const cell of cells) {
      const value = cell.replace(/^,/, '').replace(/^"/, '');
      assert.ok(!/^[=+\-@\t\r\n]/.test(value) || value === '+4915112345678', JSON.stringify(line));
    }
  }
});

test('nor does one if semicolons, bars, tabs or line ends begin a cell, ignoring blanks and quotes', async () => {
  const users = FORMULAS.map((value, index) => userNamed(`user${index}`, value));
  for (const line of await writeCsvLines(users)) {
    for (const cell of line.split(/[;|,\t\r\n]/)) {
      const value = cell.replace(/^["\s\ufeff]+/, '');
      assert.ok(!/^[=+\-@＝＋－＠]/.test(value) || value === '+4915112345678', JSON.stringify(line));
    }
  }
});

test('an import reads every value back unchanged', async () => {
  const users = [...FORMULAS, ...HARMLESS].map((value, index) => userNamed(`${value}user${index}`, value));
  const text = (await writeCsvLines(users)).map((line) => `${line}\n`).join('');
  const read = await Array.fromAsync(readCsv(Readable.from([text]), { userPoolId: 'p', resetPasswords: false }));
  assert.deepEqual(
    read.map(({ content }) =>
      'user' in content ? { username: content.user.username, ...content.user.attributes } : content,
    ),
    users.map(({ username, attributes }) => ({ username, ...attributes })),
  );
});

test('a phone number is in the form of Cognito’s import', async () => {
  const [, line] = await writeCsvLines([userNamed('ada', 'Ada')]);
  assert.match(line ?? '', /,\+4915112345678,/);
});
