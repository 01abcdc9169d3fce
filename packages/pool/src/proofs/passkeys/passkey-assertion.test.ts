import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PasskeyRecord } from '../../store/records.ts';
import { encodeCbor } from '../../testing/encode-cbor.ts';
import {
  type AssertionJson,
  type AssertionOverrides,
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
const PASSKEY = {
  credentialId: latest.id,
  publicKey: Buffer.from(encodeCbor(toCoseKey(latest))).toString('base64url'),
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
});
