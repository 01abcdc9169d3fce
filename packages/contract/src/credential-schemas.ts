import type { Schema } from './schema.ts';

/** The passkey data that browsers send (WebAuthn Level 3 §5.1.8). Members that are not listed here are ignored. */

const MAX_CREDENTIAL_ID_CHARACTERS = 1364;
const MAX_PART_CHARACTERS = 32_768;

/** Base64url of at most 1023 bytes (WebAuthn Level 3 §4, credential id). */
export const credentialId = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_CREDENTIAL_ID_CHARACTERS,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The id of a passkey, base64url.',
} as const satisfies Schema;

const part = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_PART_CHARACTERS,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Base64url.',
} as const satisfies Schema;

const sharedCredentialFields = {
  id: credentialId,
  rawId: { ...credentialId, description: 'The same as id.' },
  type: { type: 'string', enum: ['public-key'] },
  authenticatorAttachment: { anyOf: [{ type: 'string', enum: ['platform', 'cross-platform'] }, { type: 'null' }] },
  clientExtensionResults: { type: 'object', properties: {} },
} as const;

/** A newly created passkey: `RegistrationResponseJSON`, as `PublicKeyCredential.toJSON()` returns it. */
export const createdCredential = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  properties: {
    ...sharedCredentialFields,
    response: {
      type: 'object',
      required: ['clientDataJSON', 'attestationObject'],
      properties: {
        clientDataJSON: part,
        attestationObject: part,
        transports: { type: 'array', maxItems: 16, items: { type: 'string', minLength: 1, maxLength: 64 } },
      },
    },
  },
} as const satisfies Schema;

/** A passkey assertion: `AuthenticationResponseJSON`, as `PublicKeyCredential.toJSON()` returns it. */
export const assertedCredential = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  properties: {
    ...sharedCredentialFields,
    response: {
      type: 'object',
      required: ['clientDataJSON', 'authenticatorData', 'signature'],
      properties: {
        clientDataJSON: part,
        authenticatorData: part,
        signature: part,
        userHandle: { anyOf: [part, { type: 'null' }] },
      },
    },
  },
} as const satisfies Schema;
