import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Ways to a random number that can be foretold, and to something else. */
const PLANTED: Readonly<Record<string, readonly [text: string, isRefused: boolean]>> = {
  'packages/pool/src/domain/call.ts': ['export const x = Math.random();', true],
  'packages/pool/src/passed.ts': ['export const x = [1].map(Math.random);', true],
  'packages/gateway/src/key.ts': ["export const x = Math['random'];", true],
  'packages/srp/src/taken.ts': ['export const { random } = Math;', true],
  'packages/poolgate/src/alias.ts': ['export const chance = Math;', true],
  'packages/pool/src/floor.ts': ['export const x = Math.floor(1.5);', false],
  'packages/pool/src/some.test.ts': ['export const x = Math.random();', false],
};

test('no code that is published can draw from Math.random', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chance-'));
  try {
    for (const file of ['biome.json', 'tools/chance.grit']) cpSync(join(root, file), join(folder, file));
    for (const [path, [text]] of Object.entries(PLANTED)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'];
    const run = spawnSync(process.execPath, [join(root, 'tools/run.cjs'), 'biome', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    const report = JSON.parse(run.stdout) as {
      diagnostics: { category: string; location: { path: string | { file: string } } }[];
    };
    const found = report.diagnostics
      .filter(({ category }) => category === 'plugin')
      .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file));
    const refused = Object.entries(PLANTED).flatMap(([path, [, isRefused]]) => (isRefused ? [path] : []));
    assert.deepEqual([...new Set(found)].sort(), refused.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
