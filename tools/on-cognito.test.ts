import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  LACKING_TESTS,
  type MissingInCognito,
  SUITES_ON_COGNITO,
  WITHOUT_A_SERVICE,
} from '../e2e/support/provider/cognito-lacks.ts';
import { createCognitoProvider } from '../packages/provider-cognito/src/index.ts';
import { filesOnCognito, skipsOnCognito } from './on-cognito.ts';

test('every test that is left out where Cognito stands behind is there, in a suite that runs there', () => {
  const suites = SUITES_ON_COGNITO.flatMap((glob) => globSync(glob));
  for (const { file, name = '', written = name } of LACKING_TESTS) {
    assert.ok(suites.includes(file), file);
    assert.ok(readFileSync(file, 'utf8').includes(written), `${file}: ${written}`);
  }
  for (const file of WITHOUT_A_SERVICE) assert.ok(suites.includes(file), file);
});

/** How many tests are left out for what Cognito lacks. One more or less is a decision, and is written here. */
const LEFT_OUT: Readonly<Partial<Record<MissingInCognito, number>>> = {
  create_recovery_codes: 7,
  disown: 1,
  end_login: 2,
  end_login_by_id: 1,
  list_logins: 6,
  list_passkey_uses: 1,
  outbox: 2,
  pool_events: 5,
  pool_settings: 2,
  registrations: 2,
  reset_sessions: 1,
  start_discoverable_login: 10,
  cognito_api: 5,
};

test('most of the suites over the routes run backed by Cognito, and what is left out for what is counted', () => {
  const routes = globSync('e2e/routes/*.test.ts');
  assert.ok(filesOnCognito(routes).length > 0.7 * routes.length);
  const counted: Partial<Record<MissingInCognito, number>> = {};
  for (const { name, lacks } of LACKING_TESTS) if (name !== undefined) counted[lacks] = (counted[lacks] ?? 0) + 1;
  assert.deepEqual(counted, LEFT_OUT);
  assert.equal(
    skipsOnCognito().length,
    Object.values(LEFT_OUT).reduce((sum, count) => sum + count, 0),
  );
});

/** Reasons that are no extension of the port. */
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
  const reasons = new Set(LACKING_TESTS.map(({ lacks }) => lacks));
  for (const reason of OTHER_REASONS) reasons.delete(reason);
  assert.ok(reasons.size > 0);
  for (const reason of reasons) assert.ok(!Object.hasOwn(provider.extensions, reason), reason);
  assert.deepEqual([provider.recordsEvents, provider.recordsRevocations], [false, false]);
  provider.close();
});
