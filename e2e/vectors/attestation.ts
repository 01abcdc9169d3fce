import { createHash } from 'node:crypto';
import type { CborValue } from '../../packages/pool/src/testing/encode-cbor.ts';
import { attestationCertificate, type CertificateParts, extension } from './certificates.ts';
import { der, integer, octets, oid, sequence, set, utf8 } from './der.ts';
import { CURVES } from './ecdsa.ts';
import { type CredentialKey, ecdsaKey } from './keys.ts';

/** What an attestation statement is made from. */
export interface AttestationParts {
  readonly credentialId: Uint8Array;
  readonly credentialKey: CredentialKey;
  /** The authenticator's key on P-256, or empty if it has none. */
  readonly attestationSeed: Uint8Array;
  readonly serialNumber: Uint8Array;
  /** The key of the authority that signs certificates, on P-256. */
  readonly issuerKey: Uint8Array;
  readonly authenticatorData: Uint8Array;
  readonly clientDataHash: Uint8Array;
  readonly rpIdHash: Uint8Array;
}

/** A form of attestation: which key it uses in addition to the credential's, and its statement. */
export interface AttestationKind {
  readonly fmt: string;
  readonly hasOwnKey: boolean;
  readonly hasCertificate: boolean;
  readonly statement: (parts: AttestationParts) => Readonly<Record<string, CborValue>>;
}

/** WebAuthn Level 3 §8, by the names from which the vectors are derived. */
export const ATTESTATION_KINDS = {
  none: { fmt: 'none', hasOwnKey: false, hasCertificate: false, statement: () => ({}) },
  'packed-self': { fmt: 'packed', hasOwnKey: false, hasCertificate: false, statement: packedSelf },
  packed: { fmt: 'packed', hasOwnKey: true, hasCertificate: true, statement: packed },
  tpm: { fmt: 'tpm', hasOwnKey: true, hasCertificate: true, statement: tpm },
  'android-key': { fmt: 'android-key', hasOwnKey: false, hasCertificate: true, statement: androidKey },
  apple: { fmt: 'apple', hasOwnKey: false, hasCertificate: true, statement: apple },
  'fido-u2f': { fmt: 'fido-u2f', hasOwnKey: true, hasCertificate: true, statement: fidoU2f },
} as const satisfies Record<string, AttestationKind>;

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

function requirePoint({ point }: CredentialKey): Buffer {
  if (point === undefined) throw new TypeError('the key lies on no curve of ECDSA');
  return point;
}

function toSign({ authenticatorData, clientDataHash }: AttestationParts): Buffer {
  return Buffer.concat([authenticatorData, clientDataHash]);
}

function certificate(parts: AttestationParts, more: Pick<CertificateParts, 'point' | 'isNameless' | 'extensions'>) {
  return attestationCertificate({ serialNumber: parts.serialNumber, issuerKey: parts.issuerKey, ...more });
}

/** §8.2 without a certificate: signed by the credential's own key. */
function packedSelf(parts: AttestationParts) {
  return { alg: -7, sig: parts.credentialKey.sign(toSign(parts)) };
}

/** §8.2. */
function packed(parts: AttestationParts) {
  const own = ecdsaKey(CURVES.ES256, parts.attestationSeed);
  return { alg: -7, sig: own.sign(toSign(parts)), x5c: [certificate(parts, own)] };
}

const TPM_ID = 'id:00000000';

/** §8.3. The structures are those of the TPM 2.0 library (part 2), §12.2.4 and §10.12.8. */
function tpm(parts: AttestationParts) {
  const own = ecdsaKey(CURVES.ES256, parts.attestationSeed);
  const point = requirePoint(parts.credentialKey);
  const sized = (bytes: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  const pubArea = Buffer.concat([
    Buffer.from('0023000b0004000000000010001000030010', 'hex'),
    sized(point.subarray(1, 33)),
    sized(point.subarray(33)),
  ]);
  const certInfo = Buffer.concat([
    Buffer.from('ff54434780170000', 'hex'),
    sized(sha256(toSign(parts))),
    Buffer.from('00000000000000001111111122222222330000000000000000', 'hex'),
    sized(Buffer.concat([Buffer.from('000b', 'hex'), sha256(pubArea)])),
    sized(Buffer.alloc(0)),
  ]);
  const about = (id: string, value: string): Buffer => sequence(oid(id), utf8(value));
  const maker = set(
    about('2.23.133.2.1', TPM_ID),
    about('2.23.133.2.3', TPM_ID),
    about('2.23.133.2.2', 'WebAuthn test vectors'),
  );
  const extensions = [
    extension('2.5.29.37', sequence(oid('2.23.133.8.3'))),
    extension('2.5.29.17', sequence(der(0xa4, sequence(maker))), true),
  ];
  const x5c = [certificate(parts, { point: own.point, isNameless: true, extensions })];
  return { alg: -7, sig: own.sign(certInfo), ver: '2.0', x5c, pubArea, certInfo };
}

/** §8.4. */
function androidKey(parts: AttestationParts) {
  const zero = Buffer.from([0]);
  const description = sequence(
    integer(300n),
    der(0x0a, zero),
    integer(0n),
    der(0x0a, zero),
    octets(parts.clientDataHash),
    octets(Buffer.alloc(0)),
    sequence(),
    sequence(),
  );
  const extensions = [extension('1.3.6.1.4.1.11129.2.1.17', description)];
  const x5c = [certificate(parts, { point: requirePoint(parts.credentialKey), extensions })];
  return { alg: -7, sig: parts.credentialKey.sign(toSign(parts)), x5c };
}

/** §8.8. */
function apple(parts: AttestationParts) {
  const nonce = sequence(der(0xa1, octets(sha256(toSign(parts)))));
  const extensions = [extension('1.2.840.113635.100.8.2', nonce)];
  return { x5c: [certificate(parts, { point: requirePoint(parts.credentialKey), extensions })] };
}

/** §8.6. */
function fidoU2f(parts: AttestationParts) {
  const own = ecdsaKey(CURVES.ES256, parts.attestationSeed);
  const { rpIdHash, clientDataHash, credentialId, credentialKey } = parts;
  const signed = Buffer.concat([Buffer.from([0]), rpIdHash, clientDataHash, credentialId, requirePoint(credentialKey)]);
  return { sig: own.sign(signed), x5c: [certificate(parts, own)] };
}
