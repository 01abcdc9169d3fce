import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type RefusalReason } from '@poolgate/provider';
import { bigIntEngine } from '@poolgate/srp';
import { HOST_SYSTEM } from '../../process/system.ts';
import { runRehearsal } from './rehearsal.ts';
import type { Rehearsal } from './rehearsal-state.ts';

const CHECK_SETTINGS = 'See the finding about the pool settings.';

/** A rehearsal whose first step gets this response. */
const begin = (answer: () => Promise<object>) =>
  runRehearsal({
    subject: {
      clientId: 'client',
      userPoolId: 'us-east-1_Pool1',
      endpoint: undefined,
      provider: { operations: { initiateAuth: answer } },
    },
    context: { ...HOST_SYSTEM, engine: bigIntEngine },
    user: { username: 'ada', password: 'x' },
    withTotp: false,
    hasTotp: false,
    refreshTokens: new Set(),
  } as unknown as Rehearsal);

test('a refusal ends the rehearsal, with advice if its reason is known', async () => {
  const rows: readonly (readonly [reason: RefusalReason | undefined, word: string, advice: RegExp])[] = [
    ['invalid_credentials', 'invalid_credentials', /--test-user/],
    ['locked', 'locked', /Try again later/],
    ['user_disabled', 'user_disabled', /^Enable the test user/],
    ['temporary_password_expired', 'temporary_password_expired', /permanent password/],
    ['invalid_grant', 'invalid_grant', new RegExp(CHECK_SETTINGS)],
    [undefined, 'NotAuthorizedException', new RegExp(CHECK_SETTINGS)],
  ];
  for (const [reason, word, advice] of rows) {
    const [row, ...more] = await begin(async () => {
      throw new ProviderError('NotAuthorizedException', 'planted words', reason === undefined ? {} : { reason });
    });
    assert.deepEqual([row?.check, row?.result, row?.finding, more], ['login', 'fault', `Refused (${word}).`, []]);
    assert.match(row?.advice ?? '', advice);
  }
});

test('a challenge that a test user should not get is named, with specific advice', async () => {
  const rows = [
    ['NEW_PASSWORD_REQUIRED', /Give the test user a permanent password/],
    ['MFA_SETUP', /The pool requires a second factor/],
    ['SMS_MFA', /without a second factor/],
    [undefined, /without a second factor/],
  ] as const;
  for (const [ChallengeName, advice] of rows) {
    const [row, ...more] = await begin(async () => ({ ChallengeName }));
    assert.deepEqual([row?.check, row?.result, more], ['login', 'fault', []]);
    assert.match(row?.finding ?? '', new RegExp(ChallengeName ?? 'nothing, but returned no tokens'));
    assert.match(row?.advice ?? '', advice);
  }
});

test('parameters that no client can use are a fault, and an internal error is thrown', async () => {
  const parameters = { SALT: 'ab', SRP_B: '0', SECRET_BLOCK: '', USER_ID_FOR_SRP: 'u' };
  const [row] = await begin(async () => ({ ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: parameters }));
  assert.equal(row?.result, 'fault');
  assert.match(row?.advice ?? '', /does not compute SRP as Cognito does/);
  const defect = new RangeError('x');
  await assert.rejects(
    begin(async () => {
      throw defect;
    }),
    defect,
  );
});
