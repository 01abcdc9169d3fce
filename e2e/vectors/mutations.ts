import { encodeCbor } from '../../packages/pool/src/testing/encode-cbor.ts';
import {
  type AssertionParts,
  assertionAnswer,
  type Credential,
  type RegistrationParts,
  registrationAnswer,
  withoutAttestation,
} from './answers.ts';
import { ORIGIN } from './webauthn-level-3.ts';

/** A credential with one error. */
export interface Mutation {
  readonly name: string;
  readonly credential: Credential;
}

/** Origins that resemble the relying party's, but differ from it. */
const FOREIGN_ORIGINS = [
  'http://example.org',
  'https://example.org:8443',
  'https://www.example.org',
  'https://example.org.evil.test',
  'https://evilexample.org',
  'https://EXAMPLE.ORG',
  'https://example.org.',
  'https://example.org/',
  ' https://example.org',
  'https://user@example.org',
  'null',
  '',
  'android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
] as const;

/** Changes to a base64url text. */
const TEXT_CHANGES: Readonly<Record<string, (text: string) => unknown>> = {
  'left out': () => undefined,
  'is null': () => null,
  'is empty': () => '',
  'is a number': () => 5,
  'is a list': (text) => [text],
  'is an object': (text) => ({ text }),
  'has padding': (text) => `${text}=`,
  'has a space': (text) => `${text} `,
  'has a line end': (text) => `${text}\n`,
  'has a letter of no alphabet': (text) => `${text.slice(0, -1)}*`,
  'is written twice': (text) => text + text,
  'is half of it': (text) => text.slice(0, text.length >> 1),
};

/** Changes to client data, which both ceremonies share. */
const CLIENT_DATA_CHANGES: readonly (readonly [string, (data: ClientData) => unknown])[] = [
  ['of the other ceremony', (data) => ({ ...data, type: data.type === TYPES.get ? TYPES.create : TYPES.get })],
  ['of a payment', (data) => ({ ...data, type: 'payment.get' })],
  ['without a type', ({ type: _, ...data }) => data],
  ['of another challenge', (data) => ({ ...data, challenge: 'A'.repeat(43) })],
  ['of a padded challenge', (data) => ({ ...data, challenge: `${data.challenge}=` })],
  ['of a shorter challenge', (data) => ({ ...data, challenge: data.challenge.slice(0, -2) })],
  ['of an empty challenge', (data) => ({ ...data, challenge: '' })],
  ['of a challenge in a list', (data) => ({ ...data, challenge: [data.challenge] })],
  ['without a challenge', ({ challenge: _, ...data }) => data],
  ...FOREIGN_ORIGINS.map(
    (origin) => [`of the origin "${origin}"`, (data: ClientData) => ({ ...data, origin })] as const,
  ),
  ['of origins in a list', (data) => ({ ...data, origin: [ORIGIN] })],
  ['without an origin', ({ origin: _, ...data }) => data],
  ['of a page inside another', (data) => ({ ...data, crossOrigin: true })],
  ['of a page inside its own', (data) => ({ ...data, crossOrigin: true, topOrigin: ORIGIN })],
  ['with an outer page alone', (data) => ({ ...data, topOrigin: 'https://example.com' })],
  ['with a word for a truth value', (data) => ({ ...data, crossOrigin: 'false' })],
  ['of null', () => null],
  ['of a list', (data) => [data]],
  ['of a text', (data) => JSON.stringify(data)],
];

const TYPES = { create: 'webauthn.create', get: 'webauthn.get' } as const;

interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
}

/** Bytes that are not exactly one JSON text in UTF-8. */
const JSON_CHANGES: Readonly<Record<string, (json: Buffer) => Buffer>> = {
  'cut short': (json) => json.subarray(0, -1),
  'with more behind': (json) => Buffer.concat([json, Buffer.from('{}')]),
  'that are not UTF-8': (json) => Buffer.concat([json.subarray(0, -2), Buffer.from([0xff]), json.subarray(-2)]),
  'in UTF-16': (json) => Buffer.from(json.toString(), 'utf16le'),
};

function changedTexts(answer: Credential): readonly Mutation[] {
  const outer = ['id', 'rawId', 'type'].map(
    (member) => [member, answer[member], (value: unknown) => ({ ...answer, [member]: value })] as const,
  );
  const inner = Object.entries(answer.response).map(
    ([member, text]) =>
      [member, text, (value: unknown) => ({ ...answer, response: { ...answer.response, [member]: value } })] as const,
  );
  return [...outer, ...inner].flatMap(([member, text, put]) =>
    Object.entries(TEXT_CHANGES).map(([how, change]) => ({
      name: `${member} ${how}`,
      credential: put(change(String(text))),
    })),
  );
}

function changedClientData(json: Buffer): readonly (readonly [string, Buffer])[] {
  const data = JSON.parse(json.toString()) as ClientData;
  return [
    ...CLIENT_DATA_CHANGES.map(
      ([how, change]) => [`client data ${how}`, Buffer.from(JSON.stringify(change(data)))] as const,
    ),
    ...Object.entries(JSON_CHANGES).map(([how, change]) => [`client data ${how}`, change(json)] as const),
  ];
}

/** A different bit in as many places, spread over the bytes. */
function flipped(bytes: Buffer, places: number): readonly (readonly [string, Buffer])[] {
  const count = Math.min(places, bytes.length);
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor((index * bytes.length) / count);
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(place) ^ (1 << (index % 8)), place);
    return [`bit ${index % 8} of byte ${place}`, copy] as const;
  });
}

const ZERO = Buffer.from([0]);

/** Where the parts of authenticator data begin (WebAuthn Level 3 §6.1). */
const AT = { flags: 32, counter: 33, idLength: 53, id: 55 } as const;
const FLAG = { userPresent: 0x01, backupEligible: 0x08, backedUp: 0x10, attested: 0x40, extended: 0x80 } as const;

function withFlags(data: Buffer, change: (flags: number) => number): Buffer {
  const copy = Buffer.from(data);
  copy.writeUInt8(change(copy.readUInt8(AT.flags)), AT.flags);
  return copy;
}

/** Errors in the authenticator data of either ceremony. */
const DATA_CHANGES: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  'of nobody who is present': (data) => withFlags(data, (flags) => flags & ~FLAG.userPresent),
  'with extensions that are not there': (data) => withFlags(data, (flags) => flags | FLAG.extended),
  'backed up though it cannot be': (data) => withFlags(data, (flags) => (flags & ~FLAG.backupEligible) | FLAG.backedUp),
  'of another relying party': (data) => Buffer.concat([Buffer.alloc(32, 7), data.subarray(32)]),
  'cut short': (data) => data.subarray(0, -1),
  'cut before the counter': (data) => data.subarray(0, AT.counter),
  'of nothing': () => Buffer.alloc(0),
  'with more behind': (data) => Buffer.concat([data, ZERO]),
};

/** Errors in the credential part. */
const CREDENTIAL_CHANGES: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  'without a credential': (data) => withFlags(data, (flags) => flags & ~FLAG.attested),
  'that ends before the credential': (data) => data.subarray(0, AT.counter + 4),
  'with an id of no length': (data) => withIdLength(data, 0),
  'with an id that is too long': (data) => withIdLength(data, 1024),
  'with an id beyond the end': (data) => withIdLength(data, 0xffff),
  'with an id shorter by one': (data) => withIdLength(data, data.readUInt16BE(AT.idLength) - 1),
  'of another id': (data) =>
    Buffer.concat([data.subarray(0, AT.id), Buffer.from([data.readUInt8(AT.id) ^ 1]), data.subarray(AT.id + 1)]),
};

function withIdLength(data: Buffer, length: number): Buffer {
  const copy = Buffer.from(data);
  copy.writeUInt16BE(length, AT.idLength);
  return copy;
}

/** Errors in the attestation object around the authenticator data. */
const OBJECT_CHANGES: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  'without a format': (authData) => encodeCbor({ attStmt: {}, authData }),
  'without a statement': (authData) => encodeCbor({ fmt: 'none', authData }),
  'without authenticator data': () => encodeCbor({ fmt: 'none', attStmt: {} }),
  'of a format that nobody knows': (authData) => encodeCbor({ fmt: 'other', attStmt: {}, authData }),
  'of a format that is a property of every object': (authData) =>
    encodeCbor({ fmt: 'constructor', attStmt: {}, authData }),
  'of no format, with a statement': (authData) => encodeCbor({ fmt: 'none', attStmt: { alg: -7 }, authData }),
  'of a packed format without a signature': (authData) => encodeCbor({ fmt: 'packed', attStmt: { alg: -7 }, authData }),
  'of a packed format with an empty one': (authData) =>
    encodeCbor({ fmt: 'packed', attStmt: { alg: -7, sig: new Uint8Array() }, authData }),
  'with a statement that is a list': (authData) => encodeCbor({ fmt: 'none', attStmt: [], authData }),
  'with authenticator data as text': (authData) =>
    encodeCbor({ fmt: 'none', attStmt: {}, authData: authData.toString('hex') }),
  'that is a list': (authData) => encodeCbor(['none', {}, authData]),
  'that is authenticator data alone': (authData) => authData,
  'with a member more': (authData) => encodeCbor({ fmt: 'none', attStmt: {}, authData, more: 1 }),
  'with more behind': (authData) => Buffer.concat([withoutAttestation(authData), ZERO]),
  'cut short': (authData) => withoutAttestation(authData).subarray(0, -1),
  'with a depth that has no end': (authData) => Buffer.concat([Buffer.alloc(20_000, 0x81), authData]),
  'of a length that is not there': () => Buffer.from('bb7fffffffffffffff', 'hex'),
};

const KEY_FLIPS = 30;

/**
 * All changes to a registration that is valid without attestation.
 * @param authenticatorData the content of its attestation object, with a key on a curve: any other bit of a modulus is a key as well
 */
export function registrationMutations(parts: RegistrationParts, authenticatorData: Buffer): readonly Mutation[] {
  const answer = (more: Partial<RegistrationParts>): Credential => registrationAnswer({ ...parts, ...more });
  const object = (name: string, attestationObject: Buffer): Mutation => ({
    name,
    credential: answer({ attestationObject }),
  });
  const data = (name: string, changed: Buffer): Mutation => object(name, withoutAttestation(changed));
  const keyAt = AT.id + parts.credentialId.length;
  const key = authenticatorData.subarray(keyAt);
  return [
    ...changedTexts(answer({})),
    ...changedClientData(parts.clientDataJSON).map(([name, clientDataJSON]) => ({
      name,
      credential: answer({ clientDataJSON }),
    })),
    ...Object.entries({ ...DATA_CHANGES, ...CREDENTIAL_CHANGES }).map(([how, change]) =>
      data(`authenticator data ${how}`, change(authenticatorData)),
    ),
    ...Object.entries(OBJECT_CHANGES).map(([how, change]) => object(`attestation ${how}`, change(authenticatorData))),
    ...flipped(key, KEY_FLIPS).map(([where, changed]) =>
      data(`key with another ${where}`, Buffer.concat([authenticatorData.subarray(0, keyAt), changed])),
    ),
  ];
}

const SIGNED_FLIPS = 12;

/** All changes to a valid assertion. Every bit of it is signed, or is the signature. */
export function assertionMutations(parts: AssertionParts): readonly Mutation[] {
  const answer = (more: Partial<AssertionParts>): Credential => assertionAnswer({ ...parts, ...more });
  const flips = (['clientDataJSON', 'authenticatorData', 'signature', 'credentialId'] as const).flatMap((member) =>
    flipped(parts[member], SIGNED_FLIPS).map(([where, changed]) => ({
      name: `${member} with another ${where}`,
      credential: answer({ [member]: changed }),
    })),
  );
  return [
    ...changedTexts(answer({})),
    ...changedClientData(parts.clientDataJSON).map(([name, clientDataJSON]) => ({
      name,
      credential: answer({ clientDataJSON }),
    })),
    ...Object.entries(DATA_CHANGES).map(([how, change]) => ({
      name: `authenticator data ${how}`,
      credential: answer({ authenticatorData: change(parts.authenticatorData) }),
    })),
    ...flips,
    { name: 'a signature with more behind', credential: answer({ signature: Buffer.concat([parts.signature, ZERO]) }) },
    { name: 'a signature cut short', credential: answer({ signature: parts.signature.subarray(0, -1) }) },
    { name: 'a user handle of somebody else', credential: withUserHandle(answer({}), Buffer.from('somebody')) },
    { name: 'an empty user handle', credential: withUserHandle(answer({}), Buffer.alloc(0)) },
  ];
}

function withUserHandle(answer: Credential, handle: Buffer): Credential {
  return { ...answer, response: { ...answer.response, userHandle: handle.toString('base64url') } };
}
