import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LACKING_TESTS, SUITES_ON_COGNITO, WITHOUT_A_SERVICE } from '../e2e/support/cognito-lacks.ts';
import { filesOnCognito, skipsOnCognito } from './on-cognito.ts';

test('every test that is left out before Cognito is there, in a suite that runs before it', () => {
  const suites = SUITES_ON_COGNITO.flatMap((glob) => globSync(glob));
  for (const { file, name = '', written = name } of LACKING_TESTS) {
    assert.ok(suites.includes(file), file);
    assert.ok(readFileSync(file, 'utf8').includes(written), `${file}: ${written}`);
  }
  for (const file of WITHOUT_A_SERVICE) assert.ok(suites.includes(file), file);
});

test('most of the suites over the routes run before Cognito', () => {
  const routes = globSync('e2e/routes/*.test.ts');
  assert.ok(filesOnCognito(routes).length > 0.7 * routes.length);
  assert.ok(skipsOnCognito().length < 50);
});
