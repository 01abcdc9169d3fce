import type { Schema } from './schema.ts';

/** What browsers give for a passkey (WebAuthn Level 3 §5.1.8). They may give more than is named here: that is ignored. */

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

/** A passkey that was just made: `RegistrationResponseJSON`, as `PublicKeyCredential.toJSON()` gives it. */
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

/** The proof of a passkey: `AuthenticationResponseJSON`, as `PublicKeyCredential.toJSON()` gives it. */
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
