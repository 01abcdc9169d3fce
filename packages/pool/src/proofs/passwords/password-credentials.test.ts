import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { createDefaultPoolSettings } from '../../settings/default-settings.ts';
import { runAwaitedTransaction } from '../../testing/awaited-write-store.ts';
import { createRecordingTransaction } from '../../testing/recording-transaction.ts';
import { createPasswordPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import {
  checkPasswordPolicy,
  computeTemporaryPasswordExpiryMs,
  createCredential,
  createCredentialFromVerifier,
  createCredentialSync,
  decryptPasswordVerifier,
  formatPasswordVersion,
  isWellFormedPassword,
  passwordMatches,
  passwordMatchesSync,
  replacePassword,
} from './password-credentials.ts';
import { temporaryPassword } from './temporary-password.ts';

const { passwordPolicy } = createDefaultPoolSettings('https://issuer.example', 'OFF');

function refusal(code: string, message?: string) {
  return (error: unknown) =>
    error instanceof ProviderError && error.code === code && (message === undefined || error.message === message);
}

test('a password that satisfies every rule is accepted, including inner spaces', () => {
  for (const password of ['Passw0rd!', 'Correct Horse 1', 'Пароль-42', `Aa1!${'x'.repeat(252)}`]) {
    checkPasswordPolicy(passwordPolicy, password);
  }
});

test("the first broken rule is named in Cognito's words", () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', 'Password not long enough'],
    ['Aa1!567', 'Password not long enough'],
    ['passw0rd!', 'Password must have uppercase characters'],
    ['PASSW0RD!', 'Password must have lowercase characters'],
    ['Password!', 'Password must have numeric characters'],
    ['Passw0rd1', 'Password must have symbol characters'],
  ];
  for (const [password, reason] of rows) {
    const expected = refusal('InvalidPasswordException', `Password did not conform with policy: ${reason}`);
    assert.throws(() => checkPasswordPolicy(passwordPolicy, password), expected, password);
  }
});

test('length counts code points, so an emoji is one', () => {
  assert.throws(
    () => checkPasswordPolicy(passwordPolicy, 'Aa1!\u{1F600}\u{1F600}'),
    refusal('InvalidPasswordException'),
  );
  checkPasswordPolicy(passwordPolicy, 'Aa1!\u{1F600}\u{1F600}\u{1F600}\u{1F600}');
  checkPasswordPolicy(passwordPolicy, `Aa1!${'\u{1F600}'.repeat(252)}`);
});

test('a password is refused rather than truncated, trimmed or corrected', () => {
  for (const password of [`Aa1!${'x'.repeat(253)}`, ' Passw0rd!', 'Passw0rd!\t', 'Passw0rd!\ud800']) {
    const expected = refusal(
      'InvalidParameterException',
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$",
    );
    assert.throws(() => checkPasswordPolicy(passwordPolicy, password), expected);
  }
});

test('rules that a pool turns off are not enforced', () => {
  const lax = {
    ...passwordPolicy,
    minimumLength: 6,
    requireUppercase: false,
    requireLowercase: false,
    requireNumbers: false,
    requireSymbols: false,
  };
  checkPasswordPolicy(lax, 'aaaaaa');
});

test('a temporary password satisfies the policy, whatever was drawn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 99 }), (minimumLength) => {
      const policy = { ...passwordPolicy, minimumLength };
      const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
      checkPasswordPolicy(policy, temporaryPassword(random, policy));
    }),
  );
});

test('every broken rule is reported, the first one in words', () => {
  assert.throws(() => checkPasswordPolicy(passwordPolicy, '-'), {
    code: 'InvalidPasswordException',
    message: 'Password did not conform with policy: Password not long enough',
    brokenRules: ['too_short', 'needs_uppercase', 'needs_lowercase', 'needs_number'],
  });
  assert.throws(() => checkPasswordPolicy({ ...passwordPolicy, requireNumbers: false }, 'abcdefgh'), {
    message: 'Password did not conform with policy: Password must have uppercase characters',
    brokenRules: ['needs_uppercase', 'needs_symbol'],
  });
});

test('a text of up to 256 characters can be a password, without white space at its ends', () => {
  for (const [text, isPossible] of [
    ['', true],
    ['x'.repeat(256), true],
    ['\u{1F600}'.repeat(256), true],
    ['x'.repeat(257), false],
    [' x', false],
    ['x\n', false],
    ['x y', true],
    ['\ud800', false],
  ] as const) {
    assert.equal(isWellFormedPassword(text), isPossible, JSON.stringify(text));
  }
});

test('a temporary password has at least one character of each class, and sixteen characters or as many as required', () => {
  const zeros = (length: number) => new Uint8Array(length);
  const lengths = [6, 16, 17, 99].map((minimumLength) => temporaryPassword(zeros, { minimumLength }).length);
  assert.deepEqual(lengths, [16, 16, 17, 99]);
  assert.equal(temporaryPassword(zeros, { minimumLength: 6 }), `Aa2!${'A'.repeat(12)}`);
  let left = 16;
  const falling = (length: number) => new Uint8Array(length).fill(length === 8 ? left-- : 0);
  assert.equal(temporaryPassword(falling, { minimumLength: 6 }), `${'A'.repeat(12)}!2aA`);
});

const NOW_MS = Date.UTC(2026, 4, 7);
const ports = createPasswordPorts(NOW_MS);
const pool = createTestPoolRecord();

test('a password is stored as a verifier of its user, with a unique salt and version', async () => {
  const made = [
    await createCredential(ports, pool, 'ada', 'Passw0rd!', 7),
    await createCredential(ports, pool, 'ada', 'Passw0rd!', null),
    createCredentialSync(ports, pool, 'ada', 'Passw0rd!'),
  ];
  assert.deepEqual(
    made.map(({ poolId, username, temporaryUntilMs: until, setAtMs }) => [poolId, username, until, setAtMs]),
    [7, null, null].map((until) => [pool.id, 'ada', until, NOW_MS]),
  );
  for (const key of ['saltHex', 'verifierEncrypted', 'version'] as const) {
    assert.equal(new Set(made.map((credential) => credential[key])).size, 3, key);
  }
  for (const credential of made) {
    assert.match(credential.version ?? '', /^[\w-]{16}$/);
    assert.match(credential.saltHex, /^[0-9a-f]{20,32}$/);
    assert.deepEqual(JSON.parse(credential.verifierEncrypted).slice(0, 2), ['verifier', `${pool.id}/ada`]);
    for (const [password, isRight] of [
      ['Passw0rd!', true],
      ['passw0rd!', false],
      ['', false],
    ] as const) {
      assert.equal(await passwordMatches(ports, credential, password), isRight);
      assert.equal(passwordMatchesSync(ports, credential, password), isRight);
    }
  }
  const [credential] = made;
  assert.ok(credential);
  assert.equal(
    await passwordMatches(ports, { ...credential, verifierEncrypted: other(credential) }, 'Passw0rd!'),
    false,
  );
  const moved = { ...credential, username: 'bob' };
  assert.throws(() => decryptPasswordVerifier(ports, moved), {
    code: 'InternalErrorException',
    message: 'An encrypted record (verifier) cannot be decrypted.',
  });
});

/** The verifier of another password with the same salt. */
function other({ saltHex }: { readonly saltHex: string }): string {
  const verifier = Uint8Array.of(5);
  return createCredentialFromVerifier(ports, pool, 'ada', { saltHex, verifier }, null).verifierEncrypted;
}

test('two passwords that differ in a lone surrogate are different', async () => {
  const replaced = await createCredential(ports, pool, 'ada', 'Passw0rd!\ufffd', null);
  assert.equal(await passwordMatches(ports, replaced, 'Passw0rd!\ufffd'), true);
  assert.equal(await passwordMatches(ports, replaced, 'Passw0rd!\ud800'), false);
  assert.equal(passwordMatchesSync(ports, replaced, 'Passw0rd!\ufffd'), true);
  assert.equal(passwordMatchesSync(ports, replaced, 'Passw0rd!\ud800'), false);
});

test('a password is recognized by a text of constant length, whatever is known of it', () => {
  assert.equal(formatPasswordVersion({ version: 'v'.repeat(16), setAtMs: NOW_MS }), `${'v'.repeat(16)}.${NOW_MS}`);
  assert.equal(formatPasswordVersion({ version: null, setAtMs: 5 }), `${'_'.repeat(16)}.0000000000005`);
  assert.equal(formatPasswordVersion(undefined), `${'-'.repeat(16)}.0000000000000`);
});

test('a temporary password works for as many days as the pool says', () => {
  assert.equal(computeTemporaryPasswordExpiryMs(ports, pool), NOW_MS + 7 * 86_400_000);
});

test('another password ends trust in devices, and the pending reset code', async () => {
  const credential = createCredentialSync(ports, pool, 'ada', 'Passw0rd!');
  const { transaction, asked } = createRecordingTransaction();
  await runAwaitedTransaction(transaction, (orderly) => replacePassword(orderly, credential, NOW_MS));
  assert.deepEqual(asked, [
    ['credentials.put', credential],
    ['devices.forgetTrust', pool.id, 'ada', NOW_MS],
    ['codes.delete', pool.id, 'ada', 'forgot_password'],
  ]);
});
