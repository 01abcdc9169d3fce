import type { Schema } from './schema.ts';

/** Request fields that several routes share. Patterns exclude control characters from names and paths. */

/** Text on one line. Spelled without `\p{Cc}`, so that tools in every language can generate values from the published document. */
export const WITHOUT_CONTROL_CHARACTERS = '^[^\\x00-\\x1f\\x7f-\\x9f]+$';

/** Cognito's `UsernameType`: printable characters without spaces. An email address, phone number or `sub` also works. */
export const username = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+$',
  description: 'Username, sub, or a verified email address or phone number of the user.',
} as const satisfies Schema;

export const password = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  description: 'The password, any characters, never cut.',
} as const satisfies Schema;

export const email = {
  type: 'string',
  minLength: 3,
  maxLength: 128,
  pattern: '^[^\\s@\\p{C}]+@[^\\s@\\p{C}]+$',
  description: 'An e-mail address.',
} as const satisfies Schema;

/** Cognito's `ConfirmationCodeType`, limited to what sent codes need. */
export const confirmationCode = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'The code that was sent, as text.',
} as const satisfies Schema;

/** The token of a link in an email. */
export const linkToken = {
  type: 'string',
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\w-]+$',
  description: 'The text after the # in the link.',
} as const satisfies Schema;

/** Up to the length of N plus a sign byte. The salt is long enough to be unique. */
export const passwordVerifier = {
  type: 'object',
  required: ['salt', 'verifier'],
  properties: {
    salt: {
      type: 'string',
      minLength: 1,
      maxLength: 130,
      pattern: '^[0-9a-fA-F]+$',
      description: 'The salt of /register/start, or another one of 16 to 64 bytes, as hexadecimal integer.',
    },
    verifier: {
      type: 'string',
      minLength: 1,
      maxLength: 770,
      pattern: '^[0-9a-fA-F]+$',
      description: 'g^x mod N, hexadecimal.',
    },
  },
  description: 'An SRP verifier instead of the password, which stays with the client.',
} as const satisfies Schema;

/** Cognito's `ProviderNameTypeV2`. */
export const identityProviderName = {
  type: 'string',
  minLength: 3,
  maxLength: 32,
  pattern: '^[^_\\p{Z}\\p{C}][\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}][^_\\p{Z}\\p{C}]+$',
  description: 'The name of the provider. Usernames of its users begin with it.',
} as const satisfies Schema;

export const identityProviderType = {
  type: 'string',
  enum: ['OIDC', 'Google', 'SignInWithApple', 'Facebook', 'LoginWithAmazon'],
  description: 'The kind of the provider. Every kind but OIDC allows one provider, with the name of its kind.',
} as const satisfies Schema;

export const identityId = {
  type: 'string',
  minLength: 22,
  maxLength: 22,
  pattern: '^[\\w-]+$',
  description: 'The id of the list.',
} as const satisfies Schema;

/** Cognito's `DeviceKeyType`. */
export const deviceKey = {
  type: 'string',
  minLength: 1,
  maxLength: 55,
  pattern: '^[\\w-]+_[0-9a-f-]+$',
  description: 'The key of a registered device, as it came in new_device_metadata.',
} as const satisfies Schema;

export const endOtherSessions = {
  type: 'boolean',
  description: "Whether the caller's other sessions end. Left out: they do.",
} as const satisfies Schema;

export const deviceName = {
  type: 'string',
  minLength: 1,
  maxLength: 1024,
  pattern: WITHOUT_CONTROL_CHARACTERS,
  description: 'A name that tells the device to its user.',
} as const satisfies Schema;

/** A code from an authenticator app: always six digits (RFC 6238 as Cognito uses it). */
export const totpCode = {
  type: 'string',
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  description: 'The code that the authenticator shows, as text.',
} as const satisfies Schema;

/** The names of second factors, as in Cognito's `UserMFASettingList`. */
export const mfaMethod = {
  type: 'string',
  enum: ['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
} as const satisfies Schema;

/** Query parameters are text, so the number is validated as text. */
export const pageLimit = {
  type: 'string',
  minLength: 1,
  maxLength: 2,
  pattern: '^(?:[1-9]|[1-5][0-9]|60)$',
  description: 'How many at most: 1 to 60.',
} as const satisfies Schema;

export const cursor = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'next_cursor of the page before.',
} as const satisfies Schema;

/** Cognito's `UserPoolIdType`. */
export const userPoolId = {
  type: 'string',
  minLength: 1,
  maxLength: 55,
  pattern: '^[\\w-]+_[0-9a-zA-Z]+$',
  description: 'Another user pool of this service. Default: the pool that it serves.',
} as const satisfies Schema;

/** Up to the length of N (768 digits) plus one sign byte. */
export const srpInteger = {
  type: 'string',
  minLength: 1,
  maxLength: 770,
  pattern: '^[0-9a-fA-F]+$',
  description: 'An SRP integer: hexadecimal, any case, odd length allowed.',
} as const satisfies Schema;

export const token = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  pattern: '^[\\x21-\\x7e]+$',
} as const satisfies Schema;

/** The session that was returned with a reset code. */
export const resetSession = {
  type: 'string',
  minLength: 1,
  maxLength: 4096,
  description:
    'The session from /password/forgot. With it, the code works whatever other people request. Without it, only the newest code works. Browser sessions use the one of this browser by default.',
} as const;

export const session = {
  type: 'string',
  minLength: 1,
  maxLength: 4096,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'The session of the pending challenge.',
} as const satisfies Schema;

/** Attribute values are strings, as in Cognito. NUL is excluded because PostgreSQL cannot store it. */
const attributeValue = { type: 'string', maxLength: 2048, pattern: '^[^\\u0000]*$' } as const satisfies Schema;

export const attributes = {
  anyOf: [
    { type: 'object', additionalProperties: attributeValue, maxProperties: 50 },
    {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        required: ['Name', 'Value'],
        properties: { Name: { type: 'string', minLength: 1, maxLength: 64 }, Value: attributeValue },
        additionalProperties: false,
      },
    },
  ],
  description: 'Attributes by name, or a list of {Name, Value}.',
} as const satisfies Schema;

/** The email address of a user that an administrator creates. */
export const newEmail = {
  type: 'string',
  minLength: 3,
  maxLength: 128,
  pattern: '^[^\\s@\\p{C}]+@[^\\s@\\p{C}]+$',
  description: 'Must be unique. Counts as verified.',
} as const satisfies Schema;

/** Cognito's `GroupNameType`. */
export const groupName = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+$',
  description: 'The name of a group.',
} as const satisfies Schema;

export const eventType = {
  type: 'string',
  minLength: 3,
  maxLength: 64,
  pattern: '^[a-z_]+\\.[a-z_]+$',
  description: 'A type of event, e.g. login.failed.',
} as const satisfies Schema;

/** A UUID. */
export const webhookId = {
  type: 'string',
  minLength: 36,
  maxLength: 36,
  pattern: '^[0-9a-f-]{36}$',
  description: 'The id of a webhook.',
} as const satisfies Schema;

/** The id of an admin key, without its secret. */
export const adminKeyId = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9.-]+$',
  description: 'The id of an admin key, not the whole key.',
} as const satisfies Schema;

/** Cognito's `ClientIdType`. */
export const clientId = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^[\\w+]+$',
  description: 'The id of an app client.',
} as const satisfies Schema;

export const clientSecretId = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  pattern: '^[\\w+-]+$',
  description: 'The ID of an app client secret, not the secret itself.',
} as const satisfies Schema;

/** Cognito's `ResourceServerIdentifierType`. */
export const resourceServerIdentifier = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$',
  description: 'The identifier of a resource server, often a URL.',
} as const satisfies Schema;

/** Cognito's `DomainType`. */
export const domainName = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$',
  description: 'A prefix, or a whole host name.',
} as const satisfies Schema;
