import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SETTINGS } from './settings.ts';
import { filePathKind, folderPathKind } from './value-kinds.ts';

const GUIDE = readFileSync(new URL('../../../../docs/reference/configuration.md', import.meta.url), 'utf8');

test('a number is accepted exactly within the documented bounds', () => {
  const rows = [...GUIDE.matchAll(/^\| `(\w+)` \|.*?\| a whole number from (\d+) to (\d+) \|/gm)];
  assert.ok(rows.length > 20);
  for (const [, variable = '', least, greatest] of rows) {
    const { kind } = Object.values(SETTINGS).find((setting) => setting.env === variable) ?? assert.fail(variable);
    const isAccepted = (value: number) => kind.read(String(value)).ok;
    const [low, high] = [Number(least), Number(greatest)];
    assert.deepEqual([low - 1, low, high, high + 1].map(isAccepted), [false, true, true, false], variable);
  }
});

test('a path is any text except an empty one, without a NUL', () => {
  for (const kind of [folderPathKind, filePathKind, SETTINGS.triggerModule.kind]) {
    assert.deepEqual(
      ['a', './b', '', 'a\0b'].map((path) => kind.read(path).ok),
      [true, true, false, false],
      kind.allowed,
    );
  }
});

test('the port of the metrics is a number, or the word that the guide shows as its default', () => {
  const { kind } = SETTINGS.metricsPort;
  assert.deepEqual(kind.read('off'), { ok: true, value: undefined });
  assert.equal(kind.show(undefined), 'off');
  assert.deepEqual(
    ['9464', '0', 'on', ''].map((text) => kind.read(text).ok),
    [true, true, false, false],
  );
});
