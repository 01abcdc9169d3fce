import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type MissingInCognito,
  POOL_SUITES,
  SUITES_ON_COGNITO,
  TESTS_SKIPPED_ON_COGNITO,
} from '../e2e/support/provider/cognito-gaps.ts';
import { createCognitoProvider } from '../packages/provider-cognito/src/index.ts';
import { selectFilesOnCognito } from './on-cognito.ts';

test('every test that is left out where Cognito stands behind is there, in a suite that runs there', () => {
  const suites = SUITES_ON_COGNITO.flatMap((glob) => globSync(glob));
  for (const { file, name = '', written = name } of TESTS_SKIPPED_ON_COGNITO) {
    assert.ok(suites.includes(file), file);
    assert.ok(readFileSync(file, 'utf8').includes(written), `${file}: ${written}`);
  }
  for (const file of POOL_SUITES) assert.ok(suites.includes(file), file);
});

test('most of the suites over the routes run backed by Cognito', () => {
  const routes = globSync('e2e/routes/*.test.ts');
  assert.ok(selectFilesOnCognito(routes).length > 0.7 * routes.length);
});

/** Reasons that are not an extension of the port. */
const OTHER_REASONS: readonly MissingInCognito[] = [
  'outbox',
  'pool_events',
  'pool_settings',
  'registrations',
  'cognito_api',
];

test('no test is left out for what the provider backed by Cognito can do', () => {
  const served = { region: 'us-east-1', userPoolId: 'us-east-1_Example01', clientId: 'client' };
  const provider = createCognitoProvider({ ...served, clientSecrets: [], clock: Date });
  const reasons = new Set(TESTS_SKIPPED_ON_COGNITO.map(({ lacks }) => lacks));
  for (const reason of OTHER_REASONS) reasons.delete(reason);
  assert.ok(reasons.size > 0);
  for (const reason of reasons) assert.ok(!Object.hasOwn(provider.extensions, reason), reason);
  assert.deepEqual([provider.recordsEvents, provider.recordsRevocations], [false, false]);
  provider.close();
});
