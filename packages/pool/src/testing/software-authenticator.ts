import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type CborValue, encodeCbor } from './encode-cbor.ts';

/** The parts of `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8) that an authenticator reads. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

/** The parts of `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9) that an authenticator reads. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

/** `RegistrationResponseJSON`; binary values are base64url. */
export interface RegistrationJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly authenticatorAttachment?: string;
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly authenticatorData: string;
    readonly publicKeyAlgorithm: number;
    readonly transports: readonly string[];
  };
}

/** `AuthenticationResponseJSON`; binary values are base64url. */
export interface AssertionJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly authenticatorAttachment?: string;
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}

/** A key pair of an authenticator for one user of one relying party. */
export interface Passkey {
  /** Base64url. */
  readonly id: string;
  readonly rpId: string;
  /** Base64url, as received from the relying party. */
  readonly userHandle: string;
  readonly algorithm: Algorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The number of signatures so far; always 0 if the authenticator does not count. */
  counter: number;
}

/** The supported COSE algorithms (IANA). */
export type Algorithm = 'ES256' | 'RS256';

/** Deviations for both ceremonies. */
export interface CeremonyOverrides {
  readonly origin?: string;
  /** The content of the client data; undefined members are omitted. */
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  /** The relying party whose id is hashed in the authenticator data. */
  readonly rpId?: string;
  readonly counter?: number;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly backupEligible?: boolean;
  readonly backedUp?: boolean;
}

/** Deviations for a registration. */
export interface RegistrationOverrides extends CeremonyOverrides {
  readonly credentialId?: Uint8Array;
  /** The COSE key that replaces the real one. {@link toCoseKey} returns the real one as a start. */
  readonly publicKey?: Uint8Array;
  readonly aaguid?: string;
  readonly fmt?: string;
  /** Receives the input of an attestation's signature (authenticator data, hash of the client data) and the new key. */
  readonly attStmt?: (toSign: Uint8Array, passkey: Passkey) => CborValue;
}

/** Deviations for an assertion. */
export interface AssertionOverrides extends CeremonyOverrides {
  /** The passkey to use; by default the first one that the options allow. */
  readonly passkey?: Passkey;
  /** Null: no user handle in the response, like older keys. */
  readonly userHandle?: string | null;
  /** Replaces the real one. */
  readonly signature?: Uint8Array;
}

/** The kind of authenticator. */
export interface AuthenticatorOptions {
  /** The page on which it is used. */
  readonly origin: string;
  readonly algorithm?: Algorithm;
  readonly aaguid?: string;
  readonly attachment?: 'platform' | 'cross-platform';
  readonly transports?: readonly string[];
  /** False if the signature counter is always 0, as for synced passkeys. */
  readonly counts?: boolean;
  readonly backupEligible?: boolean;
  readonly backedUp?: boolean;
  readonly userVerified?: boolean;
}

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';

const COSE_ALGORITHMS: Readonly<Record<Algorithm, number>> = { ES256: -7, RS256: -257 };

/**
 * A software authenticator with its browser. It creates real keys and signatures, and deviates as a test requires.
 * @see https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data
 */
export class SoftwareAuthenticator {
  /** Every passkey that it created, oldest first. */
  readonly passkeys: Passkey[] = [];
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** The latest passkey. */
  get latest(): Passkey {
    const passkey = this.passkeys.at(-1);
    if (passkey === undefined) throw new TypeError('no passkey was made yet');
    return passkey;
  }

  /** `navigator.credentials.create`. */
  register(options: CreationOptions, knobs: RegistrationOverrides = {}): RegistrationJson {
    const { algorithm = 'ES256', transports = ['internal', 'hybrid'] } = this.#options;
    const passkey = this.#make(options, algorithm, knobs.credentialId ?? randomBytes(32));
    const clientData = this.#clientData('webauthn.create', options.challenge, knobs);
    const authenticatorData = Buffer.concat([
      this.#authenticatorData(options.rp.id, passkey, knobs, true),
      createAttestedCredential(knobs.aaguid ?? this.#options.aaguid ?? NO_AAGUID, passkey, knobs.publicKey),
    ]);
    const attStmt = knobs.attStmt?.(Buffer.concat([authenticatorData, sha256(clientData)]), passkey) ?? {};
    const attestationObject = encodeCbor({ fmt: knobs.fmt ?? 'none', attStmt, authData: authenticatorData });
    return {
      ...this.#envelope(passkey),
      response: {
        clientDataJSON: toBase64Url(clientData),
        attestationObject: toBase64Url(attestationObject),
        authenticatorData: toBase64Url(authenticatorData),
        publicKeyAlgorithm: COSE_ALGORITHMS[algorithm],
        transports,
      },
    };
  }

  /** `navigator.credentials.get`. */
  assert(options: RequestOptions, knobs: AssertionOverrides = {}): AssertionJson {
    const passkey = knobs.passkey ?? this.#allowed(options);
    if (this.#options.counts ?? true) passkey.counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, knobs);
    const authenticatorData = this.#authenticatorData(options.rpId, passkey, knobs, false);
    const signature =
      knobs.signature ?? sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), passkey.privateKey);
    const userHandle = knobs.userHandle === undefined ? passkey.userHandle : knobs.userHandle;
    return {
      ...this.#envelope(passkey),
      response: {
        clientDataJSON: toBase64Url(clientData),
        authenticatorData: toBase64Url(authenticatorData),
        signature: toBase64Url(signature),
        ...(userHandle === null ? {} : { userHandle }),
      },
    };
  }

  #make(options: CreationOptions, algorithm: Algorithm, credentialId: Uint8Array): Passkey {
    const passkey: Passkey = {
      id: toBase64Url(credentialId),
      rpId: options.rp.id,
      userHandle: options.user.id,
      algorithm,
      ...createKeyPair(algorithm),
      counter: 0,
    };
    this.passkeys.push(passkey);
    return passkey;
  }

  #allowed({ rpId, allowCredentials }: RequestOptions): Passkey {
    const passkey = this.passkeys.find(
      ({ id, rpId: own }) => own === rpId && (allowCredentials?.some((allowed) => allowed.id === id) ?? true),
    );
    if (passkey === undefined) throw new TypeError('no passkey is allowed here');
    return passkey;
  }

  #envelope({ id }: Passkey) {
    const { attachment = 'platform' } = this.#options;
    return { id, rawId: id, type: 'public-key', authenticatorAttachment: attachment, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, knobs: CeremonyOverrides): Buffer {
    const { crossOrigin = false, topOrigin } = knobs;
    const data = {
      type: knobs.type ?? type,
      challenge: knobs.challenge ?? challenge,
      origin: knobs.origin ?? this.#options.origin,
      crossOrigin,
      ...(topOrigin === undefined ? {} : { topOrigin }),
    };
    return Buffer.from(JSON.stringify(data));
  }

  /** WebAuthn Level 3 §6.1: 32 bytes of hash, one of flags, four of counter. */
  #authenticatorData(rpId: string, passkey: Passkey, knobs: CeremonyOverrides, isAttested: boolean): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(knobs.counter ?? passkey.counter);
    const flags = { ...this.#flags(), ...defined(knobs) };
    const bits =
      (flags.userPresent ? 0x01 : 0) |
      (flags.userVerified ? 0x04 : 0) |
      (flags.backupEligible ? 0x08 : 0) |
      (flags.backedUp ? 0x10 : 0) |
      (isAttested ? 0x40 : 0);
    return Buffer.concat([sha256(Buffer.from(knobs.rpId ?? rpId)), Buffer.from([bits]), counter]);
  }

  #flags() {
    const { userVerified = true, backupEligible = false, backedUp = false } = this.#options;
    return { userPresent: true, userVerified, backupEligible, backedUp };
  }
}

function defined({ userPresent, userVerified, backupEligible, backedUp }: CeremonyOverrides) {
  return {
    ...(userPresent === undefined ? {} : { userPresent }),
    ...(userVerified === undefined ? {} : { userVerified }),
    ...(backupEligible === undefined ? {} : { backupEligible }),
    ...(backedUp === undefined ? {} : { backedUp }),
  };
}

/** WebAuthn Level 3 §6.5.1. */
function createAttestedCredential(aaguid: string, passkey: Passkey, publicKey: Uint8Array | undefined): Buffer {
  const id = Buffer.from(passkey.id, 'base64url');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  return Buffer.concat([
    Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
    length,
    id,
    publicKey ?? encodeCbor(toCoseKey(passkey)),
  ]);
}

/** The public key of a passkey as a COSE key (RFC 9053 §7.1, RFC 8230 §4), which can be changed before it is encoded. */
export function toCoseKey({ algorithm, publicKey }: Pick<Passkey, 'algorithm' | 'publicKey'>): Map<number, CborValue> {
  const jwk = publicKey.export({ format: 'jwk' });
  const bytes = (text = '') => Buffer.from(text, 'base64url');
  const alg = COSE_ALGORITHMS[algorithm];
  const parameters: readonly (readonly [number, CborValue])[] =
    algorithm === 'ES256'
      ? [
          [1, 2],
          [3, alg],
          [-1, 1],
          [-2, bytes(jwk.x)],
          [-3, bytes(jwk.y)],
        ]
      : [
          [1, 3],
          [3, alg],
          [-1, bytes(jwk.n)],
          [-2, bytes(jwk.e)],
        ];
  return new Map(parameters);
}

/** Creates a key pair. RSA keys take a moment. */
export function createKeyPair(algorithm: Algorithm): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  return algorithm === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
