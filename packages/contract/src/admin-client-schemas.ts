import { resourceServerIdentifier } from './field-schemas.ts';
import type { Schema } from './schema.ts';
import { nextCursor, nullableText, nullableTime, text, texts } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

const address = {
  type: 'string',
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\x21-\\x7e]+$',
} as const satisfies Schema;

const addresses = { type: 'array', items: address, maxItems: 100 } as const satisfies Schema;

/** Cognito's `ScopeType`. */
const scopes = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 256, pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' },
  maxItems: 50,
  description:
    'What the client may ask for: openid, email, phone, profile, aws.cognito.signin.user.admin, or a scope of a resource server.',
} as const satisfies Schema;

const rotation = {
  type: 'object',
  required: ['enabled'],
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean' },
    grace_seconds: {
      type: 'integer',
      description: 'How long the previous refresh token stays valid after a refresh, 0 to 60 seconds.',
    },
  },
  description: 'Whether each refresh returns a new refresh token.',
} as const satisfies Schema;

/** The settings that a request may set on an app client. */
export const clientMembers = {
  client_name: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\w\\s+=,.@-]+$' },
  callback_urls: { ...addresses, description: 'Where users may return after they sign in.' },
  logout_urls: { ...addresses, description: 'Where users may return after they sign out.' },
  default_redirect_uri: {
    anyOf: [address, { type: 'null' }],
    description: 'One of callback_urls, for requests that name none. null removes it.',
  },
  oauth_flows: {
    type: 'array',
    items: { type: 'string', enum: ['code', 'implicit', 'client_credentials'] },
    maxItems: 3,
    description: 'The OAuth grants of the client. Empty: the client cannot use the OAuth endpoints.',
  },
  scopes,
  auth_flows: {
    type: 'array',
    items: {
      type: 'string',
      enum: [
        'ALLOW_ADMIN_USER_PASSWORD_AUTH',
        'ALLOW_CLIENT_TOKEN_AUTH',
        'ALLOW_CUSTOM_AUTH',
        'ALLOW_REFRESH_TOKEN_AUTH',
        'ALLOW_USER_AUTH',
        'ALLOW_USER_PASSWORD_AUTH',
        'ALLOW_USER_SRP_AUTH',
      ],
    },
    maxItems: 7,
    description: "The client's flows at the API, as Cognito's ExplicitAuthFlows names them.",
  },
  identity_providers: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 32, pattern: '^[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+$' },
    maxItems: 50,
    description: 'Who signs the users of this client in. COGNITO is the pool itself.',
  },
  refresh_token_rotation: rotation,
  access_token_seconds: { type: 'integer', description: 'Lifetime of access tokens, 300 to 86400 seconds.' },
  id_token_seconds: { type: 'integer', description: 'Lifetime of ID tokens, 300 to 86400 seconds.' },
  refresh_token_seconds: { type: 'integer', description: 'Lifetime of refresh tokens, 3600 to 315360000 seconds.' },
  prevent_user_existence_errors: {
    type: 'boolean',
    description: 'Whether errors of the Cognito-compatible API hide which users exist.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

const nullable = <Form extends Schema>(form: Form) => ({ anyOf: [form, { type: 'null' }] }) as const;

const keyText = { type: 'string', maxLength: 4096 } as const satisfies Schema;

/** A public key as a JWK (RFC 7517). The pool validates it. */
const jwk = {
  type: 'object',
  additionalProperties: { anyOf: [keyText, { type: 'array', items: keyText, maxItems: 10 }] },
  maxProperties: 20,
} as const satisfies Schema;

const extensionMembers = {
  resource_servers: nullable({
    type: 'array',
    items: resourceServerIdentifier,
    maxItems: 20,
  }),
  jwks: nullable({
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: jwk, maxItems: 10 } },
  }),
  jwks_uri: nullable({ type: 'string', minLength: 1, maxLength: 1024 }),
  access_token_type: nullable({ type: 'string', enum: ['at+jwt'] }),
  device_grant: nullable({ type: 'boolean' }),
  require_pushed_requests: nullable({ type: 'boolean' }),
  backchannel_logout_uri: nullable({ type: 'string', minLength: 1, maxLength: 1024 }),
  ends_grants_at_sign_out: nullable({ type: 'boolean' }),
} as const satisfies Readonly<Record<string, Schema>>;

/** App client settings that Cognito does not have. Add a new one here, and in camel case to `ClientExtensions` of the provider port. */
export const clientExtensions = {
  type: 'object',
  additionalProperties: false,
  properties: extensionMembers,
  description: 'Settings that Cognito does not have. null restores a default.',
} as const satisfies Schema;

/** An app client in a list. */
export const listedClient = {
  type: 'object',
  required: ['client_id', 'client_name'],
  properties: { client_id: text, client_name: text },
} as const satisfies Schema;

/** The metadata of a client secret. The secret itself is shown only once, when it is created. */
export const clientSecret = {
  type: 'object',
  required: ['secret_id', 'created_at'],
  properties: { secret_id: text, created_at: nullableTime },
} as const satisfies Schema;

const seconds = { type: 'integer' } as const satisfies Schema;

/** An app client, without its secrets. */
export const client = {
  type: 'object',
  required: [
    'client_id',
    'client_name',
    'secrets',
    'callback_urls',
    'logout_urls',
    'default_redirect_uri',
    'oauth_flows',
    'scopes',
    'auth_flows',
    'identity_providers',
    'refresh_token_rotation',
    'access_token_seconds',
    'id_token_seconds',
    'refresh_token_seconds',
    'prevent_user_existence_errors',
    'extensions',
    'created_at',
    'updated_at',
  ],
  properties: {
    client_id: text,
    client_name: text,
    secrets: {
      type: 'array',
      items: clientSecret,
      description: 'Oldest first, without their values. Empty for a public client.',
    },
    callback_urls: texts,
    logout_urls: texts,
    default_redirect_uri: nullableText,
    oauth_flows: texts,
    scopes: texts,
    auth_flows: texts,
    identity_providers: texts,
    refresh_token_rotation: {
      type: 'object',
      required: ['enabled', 'grace_seconds'],
      properties: { enabled: { type: 'boolean' }, grace_seconds: seconds },
    },
    access_token_seconds: seconds,
    id_token_seconds: seconds,
    refresh_token_seconds: seconds,
    prevent_user_existence_errors: { type: 'boolean' },
    extensions: { ...clientExtensions, description: 'Settings that Cognito lacks, if set.' },
    created_at: nullableTime,
    updated_at: nullableTime,
  },
} as const satisfies Schema;

/** A success response with an app client. */
export const clientAnswer = createSuccessSchema({ client });

/** A page of app clients. */
export const clientList = createSuccessSchema({
  clients: { type: 'array', items: listedClient },
  next_cursor: nextCursor,
});

const secretValue = {
  client_secret: { type: 'string', description: 'The secret, shown only in this answer.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** A newly created client. */
export const createdClient = createSuccessSchema({ client }, secretValue);

/** A newly created secret. */
export const createdClientSecret = createSuccessSchema({ secret: clientSecret, ...secretValue });
