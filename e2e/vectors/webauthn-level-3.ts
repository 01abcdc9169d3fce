import { createHash, hkdfSync } from 'node:crypto';
import { encodeCbor } from '../../packages/pool/src/testing/encode-cbor.ts';
import { ATTESTATION_KINDS, type AttestationKind } from './attestation.ts';
import { type CredentialKey, KEY_KINDS, type KeyKind } from './keys.ts';

/** The outcome of one registration and one authentication with the same credential. */
export interface Vector {
  /** The name from which the values of the vector are derived. */
  readonly name: string;
  readonly credentialId: Buffer;
  readonly registration: {
    readonly challenge: Buffer;
    readonly clientDataJSON: Buffer;
    readonly authenticatorData: Buffer;
    readonly attestationObject: Buffer;
  };
  readonly authentication: {
    readonly challenge: Buffer;
    readonly clientDataJSON: Buffer;
    readonly authenticatorData: Buffer;
    readonly signature: Buffer;
  };
  readonly key: CredentialKey;
}

/** The relying party and the page of all vectors. */
export const RELYING_PARTY_ID = 'example.org';
export const ORIGIN = 'https://example.org';
const TOP_ORIGIN = 'https://example.com';

interface Recipe {
  readonly attestation: keyof typeof ATTESTATION_KINDS;
  readonly key: keyof typeof KEY_KINDS;
  /** What distinguishes it from others with the same attestation and key. */
  readonly variant?: string;
  /** A length other than 32 bytes. */
  readonly challengeBytes?: number;
  readonly credentialIdBytes?: number;
  readonly clientData?: { readonly crossOrigin: boolean; readonly topOrigin?: string };
  /** False if it verifies no user and is never copied. */
  readonly hasFlags?: boolean;
}

const RECIPES: readonly Recipe[] = [
  { attestation: 'none', key: 'ES256' },
  { attestation: 'packed-self', key: 'ES256' },
  { attestation: 'none', key: 'ES256', variant: 'crossOrigin', clientData: { crossOrigin: true } },
  {
    attestation: 'none',
    key: 'ES256',
    variant: 'topOrigin',
    clientData: { crossOrigin: true, topOrigin: TOP_ORIGIN },
  },
  { attestation: 'none', key: 'ES256', variant: 'long-credential-id', credentialIdBytes: 1023 },
  { attestation: 'packed', key: 'ES256' },
  { attestation: 'packed', key: 'ES384' },
  { attestation: 'packed', key: 'ES512', challengeBytes: 128 },
  { attestation: 'packed', key: 'RS256' },
  { attestation: 'packed', key: 'EdDSA' },
  { attestation: 'packed', key: 'Ed448' },
  { attestation: 'tpm', key: 'ES256' },
  { attestation: 'android-key', key: 'ES256' },
  { attestation: 'apple', key: 'ES256' },
  { attestation: 'fido-u2f', key: 'ES256', hasFlags: false },
];

const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

type Derive = (length: number) => Buffer;

/** The next value of a vector on each call: HKDF-SHA-256 (RFC 5869) with a salt of one byte that counts up. */
function deriving(name: string): Derive {
  let count = 0;
  return (length) =>
    Buffer.from(hkdfSync('sha256', 'WebAuthn test vectors', Buffer.from([count++]), Buffer.from(name), length));
}

function sha256(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function clientData(type: string, challenge: Buffer, { clientData: more }: Recipe, derive: Derive): Buffer {
  const isExtended = (derive(1).readUInt8() & 0x01) === 0x01;
  const extra = isExtended ? { extraData: EXTRA_DATA + derive(16).toString('base64url') } : {};
  const base = { type, challenge: challenge.toString('base64url'), origin: ORIGIN, crossOrigin: false };
  return Buffer.from(JSON.stringify({ ...base, ...more, ...extra }));
}

const EXTRA_DATA = 'clientDataJSON may be extended with additional fields in the future, such as this: ';

function authenticatorData(flags: number, attested: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([sha256(RELYING_PARTY_ID), Buffer.from([flags, 0, 0, 0, 0]), attested]);
}

function formatName({ attestation, key, variant }: Recipe): string {
  return [attestation, key, ...(variant === undefined ? [] : [variant])].join('.');
}

/** A registration, then an authentication. Values are derived in this order. */
function createVector(recipe: Recipe, issuerKey: Buffer): Vector {
  const name = formatName(recipe);
  const derive = deriving(name);
  const { challengeBytes = 32, credentialIdBytes = 32, hasFlags = true } = recipe;
  const keyKind: KeyKind = KEY_KINDS[recipe.key];
  const attestation: AttestationKind = ATTESTATION_KINDS[recipe.attestation];

  const challenge = derive(challengeBytes);
  const key = keyKind.make(keyKind.seedBytes === 0 ? Buffer.alloc(0) : derive(keyKind.seedBytes));
  const clientDataJSON = clientData('webauthn.create', challenge, recipe, derive);
  const aaguid = derive(16);
  const credentialId = derive(credentialIdBytes);
  const wanted = hasFlags ? derive(1).readUInt8() : 0;
  const eligible = wanted & FLAGS.backupEligible;
  const backedUp = eligible === 0 ? 0 : FLAGS.backedUp;
  const idLength = Buffer.from([credentialIdBytes >> 8, credentialIdBytes & 0xff]);
  const data = authenticatorData(
    FLAGS.userPresent | FLAGS.attested | (wanted & FLAGS.userVerified) | eligible | (wanted & backedUp),
    Buffer.concat([aaguid, idLength, credentialId, encodeCbor(key.cose)]),
  );
  const attStmt = attestation.statement({
    ...{ credentialId, credentialKey: key, issuerKey, authenticatorData: data },
    ...{ clientDataHash: sha256(clientDataJSON), rpIdHash: sha256(RELYING_PARTY_ID) },
    attestationSeed: attestation.hasOwnKey ? derive(32) : Buffer.alloc(0),
    serialNumber: attestation.hasCertificate ? derive(16) : Buffer.alloc(0),
  });
  const attestationObject = encodeCbor({ fmt: attestation.fmt, attStmt, authData: data });
  return {
    ...{ name, credentialId, key },
    registration: { challenge, clientDataJSON, authenticatorData: data, attestationObject },
    authentication: authenticate(recipe, derive, { key, eligible, backedUp }),
  };
}

interface Registered {
  readonly key: CredentialKey;
  readonly eligible: number;
  readonly backedUp: number;
}

function authenticate(recipe: Recipe, derive: Derive, { key, eligible, backedUp }: Registered) {
  const challenge = derive(recipe.challengeBytes ?? 32);
  const clientDataJSON = clientData('webauthn.get', challenge, recipe, derive);
  const wanted = derive(1).readUInt8();
  const data = authenticatorData(FLAGS.userPresent | (wanted & FLAGS.userVerified) | eligible | (wanted & backedUp));
  const signature = key.sign(Buffer.concat([data, sha256(clientDataJSON)]));
  return { challenge, clientDataJSON, authenticatorData: data, signature };
}

/**
 * The fifteen credentials of the test vectors of WebAuthn Level 3. The specification defines how every value is derived, so this file
 * derives them instead of storing them: HKDF for random values, RFC 6979 for ECDSA, and a fixed RSA key.
 * @see https://www.w3.org/TR/webauthn-3/#sctn-test-vectors
 */
export function level3Vectors(): readonly Vector[] {
  const issuerKey = deriving('Attestation CA')(32);
  return RECIPES.map((recipe) => createVector(recipe, issuerKey));
}
