import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PasswordVerifier } from '@poolgate/provider';
import { COGNITO_GROUP } from '@poolgate/srp';
import type { NewPasswordRules } from '../../store/pool-and-client-settings.ts';
import { createPasswordPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import {
  checkNotTemporaryPassword,
  createPlainPassword,
  createVerifierPassword,
  listPasswordUserNames,
  parsePasswordVerifier,
  refusesTemporaryPasswordReuse,
  requireVerifierPasswords,
} from './new-password.ts';

const ports = createPasswordPorts();
const base = createTestPoolRecord();
const poolWith = (newPasswords: NewPasswordRules | undefined) => {
  const { newPasswords: _, ...settings } = base.settings;
  return { ...base, settings: newPasswords === undefined ? settings : { ...settings, newPasswords } };
};
const strict = poolWith({ refuseCommon: true, refuseTemporaryAgain: true });
const lax = poolWith({ refuseCommon: false, refuseTemporaryAgain: false });

const TEMPORARY_AGAIN = {
  code: 'InvalidPasswordException',
  message: 'Password did not conform with policy: Password must differ from the temporary password',
  brokenRules: ['temporary_again'],
};
const INVALID = { code: 'InvalidParameterException', message: 'Invalid password verifier given.' };

/** As long as the largest one. */
const LONG = (COGNITO_GROUP.modulus - 2n).toString(16);

describe('a new password', () => {
  it('in plain text satisfies the policy, and is not common, a name of its user or leaked', async () => {
    const rules = (password: string, pool = strict, isBreached = false) => {
      const asked = { ...ports, isBreached: async () => isBreached };
      return createPlainPassword(asked, pool, password)
        .check()
        .then(
          () => [],
          (error: { readonly brokenRules: readonly string[] }) => error.brokenRules,
        );
    };
    assert.deepEqual(await rules('Correct-Horse1!'), []);
    assert.deepEqual(await rules('Correct-Horse1!', strict, true), ['leaked']);
    assert.deepEqual(await rules('short', strict, true), [
      'too_short',
      'needs_uppercase',
      'needs_number',
      'needs_symbol',
    ]);
    assert.deepEqual(await rules('Password1!'), ['too_common']);
    for (const pool of [lax, poolWith(undefined)]) assert.deepEqual(await rules('Password1!', pool), []);
    assert.equal(await createPlainPassword(ports, strict, 'Correct-Horse1!').check(), undefined);
    const own = (pool: typeof strict) => createPlainPassword(ports, pool, 'Lovelace1!').checkOwner(['ada', 'Lovelace']);
    assert.throws(() => own(strict), { brokenRules: ['own_name'] });
    own(lax);
    const { username, attributes } = {
      username: 'ada',
      attributes: { email: 'e', name: 'n', preferred_username: 'p' },
    };
    assert.deepEqual(listPasswordUserNames({ username, attributes }), ['ada', 'e', 'n', 'p']);
    assert.deepEqual(listPasswordUserNames({ username, attributes: {} }), ['ada', '', '', '']);
  });

  it('is not the temporary one if the pool forbids it, as far as that can be determined', async () => {
    const same = createPlainPassword(ports, strict, 'Correct-Horse1!');
    const other = createPlainPassword(ports, strict, 'Another-Horse2!');
    const temporary = await same.createCredential('ada', 5);
    const permanent = { ...temporary, temporaryUntilMs: null };
    assert.equal(temporary.temporaryUntilMs, 5);
    assert.deepEqual([same.equals(temporary), other.equals(temporary)], [true, false]);
    assert.throws(() => checkNotTemporaryPassword(strict, same, temporary), TEMPORARY_AGAIN);
    checkNotTemporaryPassword(strict, other, temporary);
    checkNotTemporaryPassword(strict, same, permanent);
    checkNotTemporaryPassword(strict, same, undefined);
    checkNotTemporaryPassword(lax, same, temporary);
    assert.deepEqual([strict, lax, poolWith(undefined)].map(refusesTemporaryPasswordReuse), [true, false, false]);
  });

  it('as a verifier is accepted if the pool allows it, and the client checks the rules', async () => {
    const sent: PasswordVerifier = { SaltHex: 'ab'.repeat(16), VerifierHex: LONG };
    const password = createVerifierPassword(ports, strict, sent);
    assert.equal(await password.check(), undefined);
    password.checkOwner(['ada']);
    const credential = await password.createCredential('ada', 9);
    assert.deepEqual([credential.username, credential.saltHex, credential.temporaryUntilMs], ['ada', sent.SaltHex, 9]);
    assert.equal(password.equals(credential), true);
    const createVerifier = (change: Partial<PasswordVerifier>) =>
      createVerifierPassword(ports, strict, { ...sent, ...change });
    assert.equal(createVerifier({ SaltHex: 'cd'.repeat(16) }).equals(credential), false);
    assert.equal(createVerifier({ VerifierHex: `1${LONG.slice(1)}` }).equals(credential), false);
    assert.equal(createVerifier({ VerifierHex: LONG.slice(2) }).equals(credential), false);
    const short = ports.keyRing.encrypt('verifier', Uint8Array.of(5), `${strict.id}/ada`);
    assert.equal(password.equals({ ...credential, verifierEncrypted: short }), false);
    const closed = { ...strict, settings: { ...strict.settings, verifierPasswords: false } };
    const none = {
      code: 'UnsupportedOperationException',
      message: 'Password verifiers are not enabled for the user pool.',
      reason: 'flow_disabled',
    };
    assert.throws(() => requireVerifierPasswords(closed), none);
    assert.throws(() => createVerifierPassword(ports, closed, sent), none);
    requireVerifierPasswords(strict);
  });

  it('has a salt of at least twelve bytes of hexadecimal digits, in either case', () => {
    const sent = { SaltHex: 'ab'.repeat(16), VerifierHex: LONG };
    assert.equal(parsePasswordVerifier({ ...sent, SaltHex: 'ab'.repeat(12) }).saltHex, 'ab'.repeat(12));
    assert.deepEqual(parsePasswordVerifier({ ...sent, VerifierHex: LONG.toUpperCase() }), parsePasswordVerifier(sent));
    const { verifier } = parsePasswordVerifier({ ...sent, VerifierHex: 'abc' });
    assert.equal(BigInt(`0x${Buffer.from(verifier).toString('hex')}`), 0xabcn);
    /** Whether it was refused before it was parsed as a number. */
    const isUnread = (change: Partial<PasswordVerifier>) => {
      try {
        parsePasswordVerifier({ ...sent, ...change });
      } catch (error) {
        const { code, message, cause } = error as { code: string; message: string; cause?: unknown };
        assert.deepEqual({ code, message }, INVALID);
        return cause === undefined;
      }
      return assert.fail('must be refused');
    };
    for (const hex of ['', 'xyz', '-1', '0x1', 'ab cd', '1'.repeat(1_025)]) {
      assert.equal(isUnread({ VerifierHex: hex }), true, hex);
      assert.equal(isUnread({ SaltHex: hex }), true, hex);
    }
    for (const VerifierHex of ['0', '1', 'f'.repeat(1_024)]) assert.equal(isUnread({ VerifierHex }), false);
    for (const SaltHex of ['ab'.repeat(11), '1'.repeat(1_024)]) assert.equal(isUnread({ SaltHex }), false);
  });
});
