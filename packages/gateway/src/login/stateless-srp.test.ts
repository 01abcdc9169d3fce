import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestKeyRing } from '@poolgate/pool/testing';
import type { SecretBlockContent } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { createGuardRecords, createTestProvider, createTestRuntime } from '../testing/gateway-deps.ts';
import { isPendingSession, isPendingStart } from './pending-srp.ts';
import { createStatelessSession, findPendingSrp, isStatelessSrp, toSrpCall } from './stateless-srp.ts';

const BLOCK = 'c2VjcmV0IGJsb2Nr';
const OTHER_BLOCK = 'b3RoZXIgYmxvY2s=';
const CALL = { requestId: 'r', sourceAddress: '192.0.2.1' };
const CONTENT: SecretBlockContent = {
  ChallengeName: 'PASSWORD_VERIFIER',
  Username: 'Ada',
  UserIdForSrp: 'ada',
  SrpAEnd: 'f'.repeat(32),
};

/** A service whose provider reads the same from every block. */
function runtimeOn(
  content: SecretBlockContent | undefined,
  keyRing = createTestKeyRing(),
  more: Partial<GatewayDeps> = {},
) {
  const asked: unknown[] = [];
  const provider = {
    ...createTestProvider(() => []),
    async readSecretBlock(input: unknown) {
      asked.push(input);
      return content;
    },
  };
  const found: string[] = [];
  const pendingSrp = {
    ...createGuardRecords().pendingSrp,
    find: async (digestHex: string) => void found.push(digestHex) as undefined,
  };
  const records = { ...createGuardRecords(), pendingSrp };
  return { runtime: createTestRuntime({ provider, keyRing, records, ...more }), asked, found };
}

const find = (runtime: Parameters<typeof findPendingSrp>[0], session: string, secretBlockB64 = BLOCK) =>
  findPendingSrp(runtime, 'password', { secretBlockB64, session });

test('the content of a block is found without a read, and only its own session belongs to it', async () => {
  const { runtime, found } = runtimeOn(CONTENT);
  const session = createStatelessSession(runtime, BLOCK);
  const pending = (await find(runtime, session)) ?? assert.fail();
  assert.deepEqual(pending, {
    username: 'Ada',
    userIdForSrp: 'ada',
    srpAEndHex: CONTENT.SrpAEnd,
    handle: session,
  });
  assert.ok(isPendingSession(runtime, pending, session));
  assert.ok(isPendingStart(pending, { srpAHex: `1${'f'.repeat(767)}` }));
  assert.ok(!isPendingStart(pending, { srpAHex: `1${'f'.repeat(766)}e` }));
  assert.deepEqual(found, []);
});

test('the session of another block, client, pool or secret is refused', async () => {
  const keyRing = createTestKeyRing();
  const { runtime } = runtimeOn(CONTENT, keyRing);
  const sessions = [
    createStatelessSession(runtime, OTHER_BLOCK),
    createStatelessSession(runtimeOn(CONTENT, keyRing, { clientId: 'another' }).runtime, BLOCK),
    createStatelessSession(runtimeOn(CONTENT, keyRing, { userPoolId: 'us-east-1_Another1' }).runtime, BLOCK),
    createStatelessSession(runtimeOn(CONTENT).runtime, BLOCK),
    createStatelessSession(runtime, BLOCK).slice('srp.'.length),
    `srp.${BLOCK}`,
    'srp.',
    '',
    'abc123',
  ];
  for (const session of sessions) {
    const pending = (await find(runtime, session)) ?? assert.fail();
    assert.equal(pending.handle, undefined, session);
    assert.ok(!isPendingSession(runtime, pending, session));
  }
});

test('an empty block, or one for another kind of proof, is looked up', async () => {
  for (const content of [undefined, { ...CONTENT, ChallengeName: 'DEVICE_PASSWORD_VERIFIER' } as const]) {
    const { runtime, found } = runtimeOn(content);
    assert.equal(await find(runtime, createStatelessSession(runtime, BLOCK)), undefined);
    assert.equal(found.length, 1);
    assert.equal(await isStatelessSrp(runtime, 'password', BLOCK), false);
  }
});

test('the session of a device is the provider’s, which decides whether it matches', async () => {
  const { runtime, asked } = runtimeOn({ ...CONTENT, ChallengeName: 'DEVICE_PASSWORD_VERIFIER' });
  const pending = await findPendingSrp(runtime, 'device', { secretBlockB64: BLOCK, session: 'of the provider' });
  assert.equal(pending?.handle, 'of the provider');
  assert.deepEqual(asked, [{ ClientId: runtime.clientId, SecretBlock: BLOCK, Session: 'of the provider' }]);
});

test('a provider is asked to carry a start unless a row is needed for it', () => {
  const start = { srpAHex: 'abc' };
  assert.deepEqual(toSrpCall(CALL, start), { ...CALL, carriesSrpStart: true });
  assert.deepEqual(toSrpCall(CALL, { ...start, aHex: 'ab' }), CALL);
  assert.deepEqual(toSrpCall(CALL, start, 'own token'), CALL);
});
