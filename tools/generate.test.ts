import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkGenerated, type GeneratedFile, type Generator, writeGenerated } from './generated-files.ts';
import { GENERATORS } from './generators.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const generator = (...files: readonly GeneratedFile[]): Generator => ({
  source: 'tools/sound.ts',
  load: async () => () => files,
});
const BROKEN: Generator = {
  source: 'tools/broken.ts',
  load: async () => {
    throw new Error('no module x');
  },
};

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'generated-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const check = (generators: readonly Generator[], folder: string, beforeCompiling = false) =>
  checkGenerated(generators, { root: folder, beforeCompiling });

test('every generated file of the repository is current', async () => {
  const { lines } = await check(GENERATORS, root);
  assert.deepEqual(lines, []);
  assert.ok(GENERATORS.length >= 8);
});

test('a missing and an outdated file are named with the command that writes them, and the command writes them', async () => {
  await inFolder(async (folder) => {
    const generators = [
      generator({ file: 'a/new.json', text: '1', reminder: 'Tell the readers.' }, { file: 'old.md', text: '2' }),
      generator({ file: 'same.md', text: '3' }),
    ];
    writeFileSync(join(folder, 'old.md'), 'other');
    writeFileSync(join(folder, 'same.md'), '3');
    const lines = [
      'a/new.json is missing: run `npm run generate`. Tell the readers.',
      'old.md is outdated: run `npm run generate`.',
    ];
    assert.deepEqual(await check(generators, folder), { lines, failed: true });
    assert.deepEqual(await check(generators, folder, true), { lines, failed: true });
    assert.deepEqual(await writeGenerated(generators, folder), {
      lines: ['Wrote a/new.json. Tell the readers.', 'Wrote old.md.'],
      failed: false,
    });
    assert.equal(readFileSync(join(folder, 'a/new.json'), 'utf8'), '1');
    assert.deepEqual(await check(generators, folder), { lines: [], failed: false });
  });
});

test('a generator that fails stops neither the others nor the compiler, and fails the check', async () => {
  await inFolder(async (folder) => {
    const generators = [BROKEN, generator({ file: 'one.md', text: '1' })];
    assert.deepEqual((await check(generators, folder)).lines, ['one.md is missing: run `npm run generate`.']);
    const lines = ['tools/broken.ts failed: no module x'];
    assert.deepEqual(await writeGenerated(generators, folder), { lines: ['Wrote one.md.', ...lines], failed: true });
    assert.deepEqual(await check(generators, folder), { lines, failed: true });
    assert.deepEqual(await check(generators, folder, true), { lines: [], failed: false });
  });
});

test('a contradiction in the tables fails the check, although the file is written', async () => {
  await inFolder(async (folder) => {
    const generators = [generator({ file: 'one.md', text: '1', problems: ['no operation X'] })];
    assert.deepEqual(await writeGenerated(generators, folder), {
      lines: ['Wrote one.md.', 'no operation X'],
      failed: true,
    });
    assert.deepEqual(await check(generators, folder), { lines: ['no operation X'], failed: true });
  });
});
