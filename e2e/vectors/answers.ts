import { encodeCbor } from '../../packages/pool/src/testing/encode-cbor.ts';
import type { Vector } from './webauthn-level-3.ts';

/** Parts of the browser's response before base64url encoding. */
export interface RegistrationParts {
  readonly credentialId: Buffer;
  readonly clientDataJSON: Buffer;
  readonly attestationObject: Buffer;
}

/** Like {@link RegistrationParts}, for a login. */
export interface AssertionParts {
  readonly credentialId: Buffer;
  readonly clientDataJSON: Buffer;
  readonly authenticatorData: Buffer;
  readonly signature: Buffer;
}

/** JSON as a page sends it. */
export interface Credential {
  readonly [member: string]: unknown;
  readonly response: Readonly<Record<string, unknown>>;
}

function credential(id: Buffer, parts: Readonly<Record<string, Buffer>>): Credential {
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  const response = Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, text(bytes)]));
  return { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {}, response };
}

/** `RegistrationResponseJSON` (WebAuthn Level 3 §5.1.8). */
export function registrationAnswer({ credentialId, ...parts }: RegistrationParts): Credential {
  return credential(credentialId, parts);
}

/** `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1.8). */
export function assertionAnswer({ credentialId, ...parts }: AssertionParts): Credential {
  return credential(credentialId, parts);
}

/** The registration of a vector, unchanged. */
export function toRegistrationParts({ credentialId, registration }: Vector): RegistrationParts {
  const { clientDataJSON, attestationObject } = registration;
  return { credentialId, clientDataJSON, attestationObject };
}

/** The same key and data, as a browser returns them if no attestation was requested (WebAuthn Level 3 §5.1.3). */
export function toConveyedRegistrationParts(vector: Vector): RegistrationParts {
  return {
    ...toRegistrationParts(vector),
    attestationObject: withoutAttestation(vector.registration.authenticatorData),
  };
}

/** An attestation object that attests nothing. */
export function withoutAttestation(authenticatorData: Uint8Array): Buffer {
  return encodeCbor({ fmt: 'none', attStmt: {}, authData: authenticatorData });
}

/** The authentication of a vector, unchanged. */
export function toAssertionParts({ credentialId, authentication }: Vector): AssertionParts {
  const { clientDataJSON, authenticatorData, signature } = authentication;
  return { credentialId, clientDataJSON, authenticatorData, signature };
}
