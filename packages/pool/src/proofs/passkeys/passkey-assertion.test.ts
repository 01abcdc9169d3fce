import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PasskeyRecord } from '../../store/records.ts';
import { encodeCbor } from '../../testing/encode-cbor.ts';
import {
  type AssertionJson,
  type AssertionOverrides,
  type Passkey,
  SoftwareAuthenticator,
  toCoseKey,
} from '../../testing/software-authenticator.ts';
import { TEST_ORIGIN, WEB_AUTHN } from '../../testing/test-passkeys.ts';
import { type ExpectedAssertion, verifyAssertion } from './passkey-assertion.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import { parseAssertionResponse } from './passkey-responses.ts';

const USER_HANDLE = 'YWRh';
const CHALLENGE = 'AAAA';
const authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
authenticator.register({ challenge: CHALLENGE, rp: { id: 'localhost' }, user: { id: USER_HANDLE } });
const { latest } = authenticator;
const encodeKey = (passkey: Passkey) => Buffer.from(encodeCbor(toCoseKey(passkey))).toString('base64url');
const PASSKEY = {
  credentialId: latest.id,
  publicKey: encodeKey(latest),
  counter: 0,
  isBackupEligible: false,
} as PasskeyRecord;
const EXPECTED: ExpectedAssertion = {
  settings: WEB_AUTHN,
  challenge: CHALLENGE,
  passkey: PASSKEY,
  userHandle: USER_HANDLE,
  needsUserHandle: false,
};

function shown(
  knobs: AssertionOverrides = {},
  expected: Partial<ExpectedAssertion> = {},
  change: (assertion: AssertionJson) => unknown = (assertion) => assertion,
) {
  const assertion = authenticator.assert({ challenge: CHALLENGE, rpId: 'localhost' }, { passkey: latest, ...knobs });
  return verifyAssertion(parseAssertionResponse(JSON.stringify(change(assertion))), { ...EXPECTED, ...expected });
}

const withResponse = (change: (response: AssertionJson['response']) => object) => (assertion: AssertionJson) => ({
  ...assertion,
  response: { ...assertion.response, ...change(assertion.response) },
});

const passkeyWith = (change: Partial<PasskeyRecord>) => ({ passkey: { ...PASSKEY, ...change } });

describe("a passkey's response", () => {
  it('shows its counter, user verification and backup state', async () => {
    assert.deepEqual(await shown({ counter: 3 }), {
      counter: 3,
      isUserVerified: true,
      isBackedUp: false,
      isBackupEligible: false,
    });
    const backedUp = { counter: 9, userVerified: false, backupEligible: true, backedUp: true };
    assert.deepEqual(await shown(backedUp, passkeyWith({ isBackupEligible: true })), {
      counter: 9,
      isUserVerified: false,
      isBackedUp: true,
      isBackupEligible: true,
    });
  });

  it('may come from a copy if its counter does not increase, unless it never counted', async () => {
    for (const [before, now, isCopy] of [
      [0, 0, false],
      [0, 1, false],
      [1, 1, true],
      [1, 0, true],
      [5, 4, true],
      [5, 5, true],
      [5, 6, false],
    ] as const) {
      const verdict = await shown({ counter: now }, passkeyWith({ counter: before }));
      assert.equal(verdict === 'counter', isCopy, `${before} ${now}`);
      if (!isCopy) assert.equal(typeof verdict, 'object');
    }
  });

  it('names its user if required, and never another one', async () => {
    const other = Buffer.from('bob').toString('base64url');
    for (const [userHandle, needsUserHandle, isGood] of [
      [USER_HANDLE, false, true],
      [USER_HANDLE, true, true],
      [null, false, true],
      [null, true, false],
      [other, false, false],
      [other, true, false],
    ] as const) {
      const verdict = await shown({ userHandle }, { needsUserHandle });
      if (isGood) assert.equal(typeof verdict, 'object', `${userHandle} ${needsUserHandle}`);
      else assert.equal(verdict, 'user_handle', `${userHandle} ${needsUserHandle}`);
    }
  });

  it('is refused with a code for each cause', async () => {
    const required = { settings: { ...WEB_AUTHN, userVerification: 'required' } } as const;
    const padded = (text: string) => `${text}=`;
    const rows: readonly (readonly [PasskeyRefusalCode, Promise<unknown>])[] = [
      ['unknown_credential', shown({}, { passkey: undefined })],
      ['origin', shown({ origin: 'http://localhost:3001' })],
      ['origin', shown({ origin: 'https://evil.example' })],
      ['origin', shown({ crossOrigin: true })],
      ['origin', shown({ topOrigin: TEST_ORIGIN })],
      ['challenge', shown({ challenge: 'BBBB' })],
      ['challenge', shown({}, { challenge: 'BBBB' })],
      ['challenge', shown({ challenge: `${CHALLENGE}=` })],
      ['challenge', shown({ challenge: ` ${CHALLENGE}` })],
      ['malformed', shown({ type: 'webauthn.create' })],
      ['rp_id', shown({ rpId: 'example.com' })],
      ['user_presence', shown({ userPresent: false })],
      ['user_verification', shown({ userVerified: false }, required)],
      ['backup_eligibility', shown({ backupEligible: true })],
      ['backup_eligibility', shown({}, passkeyWith({ isBackupEligible: true }))],
      ['signature', shown({ signature: Buffer.from('3006020101020101', 'hex') })],
      ['malformed', shown({}, {}, (assertion) => ({ ...assertion, id: '' }))],
      ['malformed', shown({}, {}, (assertion) => ({ ...assertion, id: '', rawId: '' }))],
      ['malformed', shown({}, {}, (assertion) => ({ ...assertion, rawId: 'YQ' }))],
      ['malformed', shown({}, {}, (assertion) => ({ ...assertion, type: 'password' }))],
      [
        'malformed',
        shown(
          {},
          {},
          withResponse(({ clientDataJSON }) => ({ clientDataJSON: padded(clientDataJSON) })),
        ),
      ],
      [
        'malformed',
        shown(
          {},
          {},
          withResponse(({ authenticatorData }) => ({ authenticatorData: padded(authenticatorData) })),
        ),
      ],
      [
        'malformed',
        shown(
          {},
          {},
          withResponse(({ signature }) => ({ signature: padded(signature) })),
        ),
      ],
      [
        'malformed',
        shown(
          {},
          {},
          withResponse(() => ({ clientDataJSON: 'YQ' })),
        ),
      ],
      [
        'signature',
        shown(
          {},
          {},
          withResponse(({ signature }) => ({
            signature: Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.of(0)]).toString('base64url'),
          })),
        ),
      ],
    ];
    for (const [at, [code, verdict]] of rows.entries()) assert.equal(await verdict, code, `row ${at}`);
    assert.equal(typeof (await shown({}, required)), 'object');
  });

  it('is signed with RS256 too, by the passkey itself', async () => {
    const rsa = new SoftwareAuthenticator({ origin: TEST_ORIGIN, algorithm: 'RS256' });
    rsa.register({ challenge: CHALLENGE, rp: { id: 'localhost' }, user: { id: USER_HANDLE } });
    const publicKey = encodeKey(rsa.latest);
    const assertion = JSON.stringify(rsa.assert({ challenge: CHALLENGE, rpId: 'localhost' }));
    const verify = (change: Partial<PasskeyRecord>) =>
      verifyAssertion(parseAssertionResponse(assertion), { ...EXPECTED, ...passkeyWith(change) });
    assert.equal(typeof (await verify({ publicKey })), 'object');
    rsa.register({ challenge: CHALLENGE, rp: { id: 'localhost' }, user: { id: USER_HANDLE } });
    for (const other of [encodeKey(rsa.latest), PASSKEY.publicKey, '', 'AA', 'oA']) {
      assert.equal(await verify({ publicKey: other }), 'signature', other);
    }
  });

  it('is not what follows the authenticator data, what is too short, or a backup of what cannot be backed up', async () => {
    const changed = (change: (data: Buffer) => Uint8Array) =>
      shown(
        {},
        {},
        withResponse(({ authenticatorData }) => ({
          authenticatorData: Buffer.from(change(Buffer.from(authenticatorData, 'base64url'))).toString('base64url'),
        })),
      );
    assert.equal(await changed((data) => Buffer.concat([data, Buffer.of(0)])), 'malformed');
    assert.equal(await changed((data) => data.subarray(0, 36)), 'malformed');
    assert.equal(await shown({ backedUp: true }), 'malformed');
    // The last byte of the counter is signed.
    assert.equal(await changed((data) => Buffer.concat([data.subarray(0, 36), Buffer.of(77)])), 'signature');
  });
});
