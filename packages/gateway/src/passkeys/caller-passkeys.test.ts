import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayRecords, LocalUserRecords } from '../records/index.ts';
import { createAccessToken } from '../testing/access-token.ts';
import { createTestDeps, START_MS } from '../testing/gateway-deps.ts';
import { createPasskeyProvider } from '../testing/passkey-provider.ts';
import { createPasskeyRecords } from '../testing/passkey-records.ts';
import { recordPasskeyFlag, syncPasskeys } from './caller-passkeys.ts';

const CALL = { requestId: 'r', sourceAddress: '127.0.0.1' };
const ADA: UserCaller = {
  kind: 'user',
  accessToken: createAccessToken('ada'),
  sub: 'ada',
  username: 'ada',
  groups: [],
  originJti: undefined,
  authTimeSeconds: START_MS / 1000,
  issuedAtSeconds: START_MS / 1000,
  expiresAtSeconds: START_MS / 1000 + 3600,
};

function service() {
  const provider = createPasskeyProvider();
  const records = createPasskeyRecords();
  return { provider, records, deps: createTestDeps({ provider, records }) };
}

/** Records in which another request sets the flag. */
const withFlag = (
  records: GatewayRecords,
  setWebauthnEnabled: LocalUserRecords['setWebauthnEnabled'],
): GatewayRecords => ({ ...records, localUsers: { ...records.localUsers, setWebauthnEnabled } });

test('a flag that is right is not written', async () => {
  const { provider, records, deps } = service();
  const refusing = withFlag(records, () => Promise.reject(new Error('there is nothing to write')));
  assert.deepEqual(await syncPasskeys({ ...deps, records: refusing }, ADA, CALL), []);
  await recordPasskeyFlag(deps, ADA);
  provider.idsBySub.set('ada', ['AQID', 'BAUG']);
  const known = await syncPasskeys({ ...deps, records: refusing }, ADA, CALL);
  assert.deepEqual(
    known.map(({ CredentialId }) => CredentialId),
    ['AQID', 'BAUG'],
  );
});

test('a registration that ends while the last passkey is being removed keeps the flag true', async () => {
  const { provider, records, deps } = service();
  await recordPasskeyFlag(deps, ADA);
  // The list is empty. Before that is recorded, another request registers a passkey and records it.
  const racing = withFlag(records, async (userPoolId, sub, isEnabled, nowMs) => {
    if (!isEnabled) {
      provider.idsBySub.set('ada', ['AQID']);
      await recordPasskeyFlag(deps, ADA);
    }
    await records.localUsers.setWebauthnEnabled(userPoolId, sub, isEnabled, nowMs);
  });
  const known = await syncPasskeys({ ...deps, records: racing }, ADA, CALL);
  assert.equal(known.length, 1);
  assert.equal(records.usersBySub.get('ada')?.isWebauthnEnabled, true);
});
