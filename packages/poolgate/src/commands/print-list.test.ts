import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Invocation, Terminal } from '../command-line/command.ts';
import { printList } from './print-list.ts';

const EVIL = ['a\tb\nc', '\u001b[2Jx', '\u009b31mred', '\u202egnp', 'x\u2028y', 'tag\u{e0041}', '\u007f'] as const;
const PLAIN = 'Ada Łukasiewicz 李 👍';

async function printed(json: boolean): Promise<readonly string[]> {
  const lines: string[] = [];
  const terminal = { out: (text: string) => lines.push(text), err: () => {} } as unknown as Terminal;
  const invocation = { words: [], values: () => [], has: () => json } as unknown as Invocation;
  const list = { columns: ['NAME', 'NONE', 'END'], empty: '', rows: [...EVIL, PLAIN] };
  const cells = (name: string) => [name, undefined, 'end'];
  await printList({ ...list, cells, facts: (name: string) => ({ [name]: name }) }, invocation, terminal);
  return lines;
}

test('user input stays in its line and column, and cannot control a terminal', async () => {
  const [header, ...rows] = await printed(false);
  assert.equal(header, 'NAME\tNONE\tEND');
  assert.equal(rows.at(-1), `${PLAIN}\t\tend`);
  for (const row of rows.slice(0, -1)) assert.match(row, /^[\x20-\x7e]+\t\tend$/, JSON.stringify(row));
});

test('as JSON it has the same value, and cannot control a terminal either', async () => {
  const rows = await printed(true);
  assert.deepEqual(
    rows.map((row) => JSON.parse(row)),
    [...EVIL, PLAIN].map((name) => ({ [name]: name })),
  );
  for (const row of rows) assert.doesNotMatch(row, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, row);
});
