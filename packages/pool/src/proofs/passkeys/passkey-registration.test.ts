import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { encodeCbor } from '../../testing/encode-cbor.ts';
import {
  createKeyPair,
  type RegistrationOverrides,
  SoftwareAuthenticator,
  toCoseKey,
} from '../../testing/software-authenticator.ts';
import { TEST_ORIGIN, WEB_AUTHN } from '../../testing/test-passkeys.ts';
import { PasskeyRefusal, type PasskeyRefusalCode } from './passkey-refusals.ts';
import { verifyRegistration } from './passkey-registration.ts';
import { parseClientData, parseRegistrationResponse } from './passkey-responses.ts';

const OPTIONS = { challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'YWRh' } };
const KEY = encodeCbor(toCoseKey({ algorithm: 'ES256', ...createKeyPair('ES256') }));
const CREDENTIAL = 'WebAuthnCredentialNotSupportedException';

type Registration = ReturnType<SoftwareAuthenticator['register']>;

/** The result of a registration that was changed in transit: the credential, or the error. */
async function register(
  knobs: RegistrationOverrides = {},
  change: (registration: Registration) => unknown = (registration) => registration,
  { settings = WEB_AUTHN, authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN }) } = {},
) {
  const answer = parseRegistrationResponse(change(authenticator.register(OPTIONS, knobs)));
  const clientData = parseClientData(answer.clientDataJSON) ?? assert.fail('no client data');
  try {
    return { passkey: authenticator.latest, ...(await verifyRegistration(settings, answer, clientData)) };
  } catch (error) {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.reason, 'invalid_credential');
    return error;
  }
}

async function registered(...input: Parameters<typeof register>) {
  const outcome = await register(...input);
  return outcome instanceof ProviderError ? outcome.code : outcome;
}

/** The log's code for a refused registration. */
async function refusalCode(...input: Parameters<typeof register>): Promise<string> {
  const outcome = await register(...input);
  assert.ok(outcome instanceof ProviderError && outcome.cause instanceof PasskeyRefusal);
  return outcome.cause.code;
}

const withResponse = (change: object) => (registration: Registration) => ({
  ...registration,
  response: { ...registration.response, ...change },
});

/** The attestation object, written by hand. */
const withObject = (write: (authData: Uint8Array) => Uint8Array) => (registration: Registration) =>
  withResponse({
    attestationObject: Buffer.from(write(Buffer.from(registration.response.authenticatorData, 'base64url'))).toString(
      'base64url',
    ),
  })(registration);

describe('a new passkey', () => {
  it('is what its authenticator proved, with its transports and attachment', async () => {
    const credential = await registered(
      { backupEligible: true, backedUp: true, counter: 7 },
      withResponse({ transports: ['usb', 'ble', 'warp', 1, 'nfc', 'smart-card', 'internal', 'hybrid'] }),
    );
    assert.ok(typeof credential === 'object');
    const { passkey, publicKey, ...rest } = credential;
    assert.equal(publicKey, Buffer.from(encodeCbor(toCoseKey(passkey))).toString('base64url'));
    assert.deepEqual(rest, {
      credentialId: passkey.id,
      counter: 7,
      transports: ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'],
      attachment: 'platform',
      aaguid: '00000000-0000-0000-0000-000000000000',
      isBackupEligible: true,
      isBackedUp: true,
    });
    for (const [given, attachment] of [
      ['cross-platform', 'cross-platform'],
      ['somewhere', null],
      [undefined, null],
    ] as const) {
      const single = await registered({}, (registration) => ({ ...registration, authenticatorAttachment: given }));
      assert.ok(typeof single === 'object');
      assert.deepEqual([single.attachment, single.isBackupEligible, single.isBackedUp], [attachment, false, false]);
    }
  });

  it('is created on an origin of the pool, in no frame, for its relying party', async () => {
    const rows: readonly (readonly [RegistrationOverrides, string])[] = [
      [{ origin: 'http://localhost:3001' }, 'WebAuthnOriginNotAllowedException'],
      [{ crossOrigin: true }, 'WebAuthnOriginNotAllowedException'],
      [{ topOrigin: TEST_ORIGIN }, 'WebAuthnOriginNotAllowedException'],
      [{ rpId: 'example.com' }, 'WebAuthnRelyingPartyMismatchException'],
      [{ type: 'webauthn.get' }, CREDENTIAL],
      [{ type: 'webauthn.get', origin: 'https://evil.example' }, CREDENTIAL],
      [{ credentialId: new Uint8Array(1024) }, CREDENTIAL],
      [{ userPresent: false }, CREDENTIAL],
      [{ fmt: 'apple' }, CREDENTIAL],
      [{ aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', fmt: 'packed' }, CREDENTIAL],
    ];
    for (const [knobs, code] of rows) assert.equal(await registered(knobs), code, JSON.stringify(knobs));
    assert.ok(typeof (await registered({ userVerified: false })) === 'object');
    const settings = { ...WEB_AUTHN, userVerification: 'required' } as const;
    assert.equal(await registered({ userVerified: false }, undefined, { settings }), CREDENTIAL);
    assert.ok(typeof (await registered({}, undefined, { settings })) === 'object');
  });

  it('has exactly one form of response: every member, and nothing else', async () => {
    const other = Buffer.from('other').toString('base64url');
    const none = new Map<string, never>();
    const rows: readonly ((registration: Registration) => unknown)[] = [
      (registration) => ({ ...registration, id: other }),
      (registration) => ({ ...registration, id: other, rawId: other }),
      (registration) => ({ ...registration, id: '' }),
      (registration) => ({ ...registration, rawId: other }),
      (registration) => ({ ...registration, type: 'password' }),
      withResponse({ attestationObject: '' }),
      withResponse({ attestationObject: 'not/base64url' }),
      withResponse({ attestationObject: 'YQ' }),
      withObject((authData) => Buffer.concat([encodeCbor({ fmt: 'none', attStmt: {}, authData }), Buffer.of(0)])),
      withObject((authData) => encodeCbor({ fmt: 'none', attStmt: {}, authData, more: 1 })),
      withObject((authData) => encodeCbor({ fmt: 'none', authData })),
      withObject(() => encodeCbor({ fmt: 'none', attStmt: {}, authData: 'text' })),
      withObject((authData) => encodeCbor({ fmt: 'none', attStmt: 'text', authData })),
      withObject(() => encodeCbor([none.size])),
    ];
    for (const [at, change] of rows.entries()) assert.equal(await registered({}, change), CREDENTIAL, `row ${at}`);
    const plain = withObject((authData) => encodeCbor({ fmt: 'none', attStmt: {}, authData }));
    assert.ok(typeof (await registered({}, plain)) === 'object');
  });

  it('is refused with a code for each cause, which no client sees', async () => {
    const required = { settings: { ...WEB_AUTHN, userVerification: 'required' } } as const;
    const attStmt: RegistrationOverrides['attStmt'] = (_, { privateKey }) => ({
      alg: -7,
      sig: sign('sha256', Buffer.from('something else'), privateKey),
    });
    const rows: readonly (readonly [PasskeyRefusalCode, RegistrationOverrides, typeof required?])[] = [
      ['origin', { origin: 'http://localhost:3001' }],
      ['origin', { crossOrigin: true }],
      ['rp_id', { rpId: 'example.com' }],
      ['malformed', { type: 'webauthn.get' }],
      ['malformed', { credentialId: new Uint8Array(1024) }],
      ['malformed', { publicKey: Buffer.concat([KEY, Buffer.of(0)]) }],
      ['malformed', { publicKey: Buffer.concat([KEY, KEY]) }],
      ['user_presence', { userPresent: false }],
      ['user_verification', { userVerified: false }, required],
      ['attestation_format', { fmt: 'apple' }],
      ['attestation_statement', { fmt: 'packed' }],
      ['attestation_statement', { fmt: 'packed', attStmt }],
    ];
    for (const [code, knobs, more] of rows) {
      assert.equal(await refusalCode(knobs, undefined, more), code, JSON.stringify(knobs));
    }
    const noBytes = withResponse({ attestationObject: '' });
    assert.equal(await refusalCode({}, noBytes), 'malformed');
    assert.equal(await refusalCode({}, (registration) => ({ ...registration, rawId: 'YQ' })), 'malformed');
    assert.equal(await refusalCode({}, (registration) => ({ ...registration, type: 'password' })), 'malformed');
  });

  it('may be signed with its own key if it names no model', async () => {
    const attStmt: RegistrationOverrides['attStmt'] = (toSign, { privateKey }) => ({
      alg: -7,
      sig: sign('sha256', toSign, privateKey),
    });
    assert.ok(typeof (await registered({ fmt: 'packed', attStmt })) === 'object');
    const wrong: RegistrationOverrides['attStmt'] = (_, { privateKey }) => ({
      alg: -7,
      sig: sign('sha256', Buffer.from('something else'), privateKey),
    });
    assert.equal(await registered({ fmt: 'packed', attStmt: wrong }), CREDENTIAL);
    assert.equal(await registered({ fmt: 'none', attStmt }), CREDENTIAL);
  });
});
