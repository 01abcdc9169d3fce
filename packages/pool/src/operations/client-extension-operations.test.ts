import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { ClientExtensionOperations, ClientUpdate } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';

let pool: TestPool;
let extensions: ClientExtensionOperations;
let ids: { readonly UserPoolId: string; readonly ClientId: string };
before(async () => {
  pool = await openTestPool('sqlite::memory:');
  extensions = pool.embedded.extensions.client_extensions ?? assert.fail();
  ids = { UserPoolId: pool.userPoolId, ClientId: pool.clientId };
  const { UserPoolId } = ids;
  await pool.operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things' }, TEST_CALL);
});
after(() => pool.close());

const change = (Change: Readonly<Record<string, unknown>>) => extensions.update({ ...ids, Change }, TEST_CALL);

it('an update keeps what it does not name, also UpdateUserPoolClient, and null restores the default', async () => {
  assert.deepEqual(await extensions.describe(ids, TEST_CALL), {});
  const wanted = { resourceServers: ['things'] };
  assert.deepEqual(await change(wanted), wanted);
  assert.deepEqual(await change({}), wanted);
  await pool.operations.updateUserPoolClient({ ...ids, ClientName: 'other' }, TEST_CALL);
  assert.deepEqual(await extensions.describe(ids, TEST_CALL), wanted);
  const atSignOut = { backchannelLogoutUri: 'https://app.test/logout?tenant=1', endsGrantsAtSignOut: true };
  assert.deepEqual(await change(atSignOut), { ...wanted, ...atSignOut });
  assert.deepEqual(await change({ backchannelLogoutUri: null, endsGrantsAtSignOut: null }), wanted);
  assert.deepEqual(await change({ resourceServers: null }), {});
  assert.deepEqual(await extensions.describe(ids, TEST_CALL), {});
});

it('an unknown setting and an invalid value change nothing', async () => {
  for (const refused of [
    { unknown: true },
    { constructor: true },
    { resourceServers: 'things' },
    { resourceServers: [''] },
    { resourceServers: [1] },
    { resourceServers: [['things']] },
    { resourceServers: ['x'.repeat(257)] },
    { resourceServers: Array.from({ length: 21 }, () => 'things') },
    { resourceServers: ['others'] },
    { endsGrantsAtSignOut: 'true' },
    { backchannelLogoutUri: 'logout' },
    { backchannelLogoutUri: 'ftp://app.test/' },
    { backchannelLogoutUri: 'https://ada:word@app.test/' },
    { backchannelLogoutUri: 'https://app.test/#x' },
    { backchannelLogoutUri: `https://app.test/${'x'.repeat(1_024)}` },
  ]) {
    await assertRefused(change(refused), 'InvalidParameterException');
  }
  assert.deepEqual(await extensions.describe(ids, TEST_CALL), {});
  const ofOther = { ...ids, UserPoolId: 'us-east-1_Another00' };
  await assertRefused(extensions.describe(ofOther, TEST_CALL), 'ResourceNotFoundException');
});

it('changes the client and its extensions in one write, or neither of them', async () => {
  const { UserPoolClient: before } = await pool.operations.describeUserPoolClient(ids, TEST_CALL);
  const update = (Change: Readonly<Record<string, unknown>>, Client: ClientUpdate) =>
    extensions.update({ ...ids, Change, Client }, TEST_CALL);
  await assertRefused(update({ unknown: true }, { ClientName: 'refused' }), 'InvalidParameterException');
  await assertRefused(
    update({ deviceGrant: true }, { ClientName: 'x', RefreshTokenValidity: -1 }),
    'InvalidParameterException',
  );
  const { UserPoolClient: unchanged } = await pool.operations.describeUserPoolClient(ids, TEST_CALL);
  assert.deepEqual([unchanged, await extensions.describe(ids, TEST_CALL)], [before, {}]);
  assert.deepEqual(await update({ deviceGrant: true }, { ClientName: 'changed' }), { deviceGrant: true });
  const { UserPoolClient: changed } = await pool.operations.describeUserPoolClient(ids, TEST_CALL);
  assert.equal(changed?.ClientName, 'changed');
});
