import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { FOLDERS, listSuitesOnReplicas, NOT_ON_REPLICAS, OTHER_FOLDERS, TESTS_NOT_ON_REPLICAS } from './on-replicas.ts';

/** Functions that start a service, and two replicas if they are requested. */
const STARTS_A_SERVICE = /\bstart(?:Test|Triggered|Question|Passkey)Service\b/;

const readSource = (file: string): string => readFileSync(file, 'utf8');

test('every folder of tests is among those that run on two replicas, or says why not', () => {
  const found = new Set(globSync('e2e/*/*.test.ts').map((file) => basename(dirname(file))));
  assert.deepEqual([...found].toSorted(), [...FOLDERS, ...Object.keys(OTHER_FOLDERS)].toSorted());
});

test('every suite over the routes runs on two replicas, or is named with its reason', () => {
  const suites = FOLDERS.flatMap((folder) => globSync(`e2e/${folder}/*.test.ts`));
  const named = Object.entries(NOT_ON_REPLICAS).flatMap(([folder, names]) =>
    Object.keys(names).map((name) => `e2e/${folder}/${name}.test.ts`),
  );
  for (const file of named) assert.ok(suites.includes(file), `${file} is not there`);
  assert.deepEqual([...listSuitesOnReplicas(), ...named].toSorted(), suites.toSorted());
});

test('what runs on replicas starts a service that is two there, and what has two anyway does not', () => {
  for (const file of listSuitesOnReplicas()) assert.match(readSource(file), STARTS_A_SERVICE, file);
  for (const [folder, names] of Object.entries(NOT_ON_REPLICAS)) {
    for (const [name, reason] of Object.entries(names)) {
      const source = readSource(`e2e/${folder}/${name}.test.ts`);
      if (reason === 'replicas') assert.match(source, /openReplicas|[rR]aces|Replicas/, name);
      if (reason === 'ownDatabase') assert.ok(namesEveryDatabase(source), name);
      if (reason === 'inProcess') assert.doesNotMatch(source, STARTS_A_SERVICE, name);
    }
  }
});

/** Whether a suite chooses the database of every service that it starts, which then is a single one. */
function namesEveryDatabase(source: string): boolean {
  const starts = [...source.matchAll(/\bstart(?:Test|Triggered|Question|Passkey)Service\(([^;]*);/g)];
  return starts.every(([, options = '']) => /\bdatabaseUrl\b/.test(options));
}

test('a suite that would run on one service again does not run on two replicas', () => {
  const twice = listSuitesOnReplicas().filter((file) => {
    const source = readSource(file);
    // On replicas, the database of `forEachDatabase` is in memory, which stands for two services.
    return namesEveryDatabase(source) && !source.includes('forEachDatabase');
  });
  assert.deepEqual(twice, []);
});

test('every single test that does not run on two replicas is there, in a suite that does', () => {
  for (const { file, name } of TESTS_NOT_ON_REPLICAS) {
    assert.ok(listSuitesOnReplicas().includes(file), file);
    assert.match(readSource(file), new RegExp(`\\b(?:it|test)\\('${RegExp.escape(name)}'`), `${file}: ${name}`);
  }
});
