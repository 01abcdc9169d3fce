import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Output, ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL, START_MS } from '../testing/gateway-deps.ts';
import { recordRequiredReset, syncResetFlag } from './password-reset-flag.ts';

const CALL = { requestId: 'r', sourceAddress: '192.0.2.1' };
const USER = { userPoolId: POOL.userPoolId, sub: 'sub-of-ada', username: 'ada' };

type Status = NonNullable<Output<'AdminGetUser'>['UserStatus']>;

/** A gateway over a provider that reports a sequence of statuses, and the flags that were set. */
function createService(statuses: readonly (Status | Error)[]) {
  const flags: unknown[] = [];
  const left = [...statuses];
  const provider = createTestProvider(() => [], {
    async adminGetUser() {
      const next = left.shift() ?? new Error('no status is left');
      if (next instanceof Error) throw next;
      return { Username: 'ada', UserStatus: next, UserAttributes: [{ Name: 'sub', Value: USER.sub }] };
    },
  });
  const guarded = createGuardRecords();
  const localUsers = {
    ...guarded.localUsers,
    setPasswordResetRequired: async (...given: unknown[]) => void flags.push(given),
  };
  const runtime = createTestRuntime({ provider, records: { ...guarded, localUsers } });
  return { flags, left, runtime };
}

test('the flag follows the provider, and is set again if it changes meanwhile', async () => {
  const still = createService(['RESET_REQUIRED', 'RESET_REQUIRED', 'CONFIRMED']);
  assert.equal(await syncResetFlag(still.runtime, 'typed', CALL), USER.sub);
  assert.deepEqual([still.flags, still.left.length], [[[USER, true, START_MS]], 1]);
  const changed = createService(['RESET_REQUIRED', 'CONFIRMED', 'CONFIRMED']);
  assert.equal(await syncResetFlag(changed.runtime, 'typed', CALL), USER.sub);
  assert.deepEqual(changed.flags, [
    [USER, true, START_MS],
    [USER, false, START_MS],
  ]);
});

test('a provider without a status leaves the flag and the error unchanged', async () => {
  const refused = new GatewayError('password_reset_required');
  for (const code of ['NotAuthorizedException', 'UserNotFoundException'] as const) {
    const { flags, runtime } = createService([new ProviderError(code, 'no')]);
    await assert.rejects(recordRequiredReset(runtime, 'ada', Promise.reject(refused), CALL), refused);
    assert.deepEqual(flags, []);
  }
  const defect = new TypeError('x');
  await assert.rejects(syncResetFlag(createService([defect]).runtime, 'ada', CALL), defect);
});

test('only an error that requires a reset sets the flag, in either form', async () => {
  for (const [error, isSet] of [
    [new GatewayError('password_reset_required'), true],
    [new ProviderError('PasswordResetRequiredException', 'no'), true],
    [new GatewayError('invalid_credentials'), false],
    [new ProviderError('NotAuthorizedException', 'no'), false],
    [new TypeError('PasswordResetRequiredException'), false],
  ] as const) {
    const { flags, runtime } = createService(['RESET_REQUIRED', 'RESET_REQUIRED']);
    await assert.rejects(recordRequiredReset(runtime, 'ada', Promise.reject(error), CALL), error);
    assert.equal(flags.length > 0, isSet, String(error));
  }
  const { flags, runtime } = createService([]);
  assert.equal(await recordRequiredReset(runtime, 'ada', Promise.resolve('step'), CALL), 'step');
  assert.deepEqual(flags, []);
});
