import type { Schema } from './schema.ts';
import { nextCursor, nullableText, nullableTime, text } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

/** A resource server: an API with its own scopes. */
export const resourceServer = {
  type: 'object',
  required: ['identifier', 'name', 'scopes'],
  properties: {
    identifier: text,
    name: text,
    scopes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['scope_name', 'description'],
        properties: { scope_name: text, description: text },
      },
      description: 'App clients ask for them as <identifier>/<scope_name>.',
    },
  },
} as const satisfies Schema;

/** A success response with a resource server. */
export const resourceServerAnswer = createSuccessSchema({ resource_server: resourceServer });

/** A page of resource servers. */
export const resourceServerList = createSuccessSchema({
  resource_servers: { type: 'array', items: resourceServer },
  next_cursor: nextCursor,
});

/** A domain of the user pool. */
export const domain = {
  type: 'object',
  required: ['domain', 'custom'],
  properties: {
    domain: text,
    custom: { type: 'boolean', description: 'True: a whole host name. False: a prefix.' },
  },
} as const satisfies Schema;

/** A success response with a domain. */
export const domainAnswer = createSuccessSchema({ domain });

/** The domains of the pool. */
export const domainList = createSuccessSchema({ domains: { type: 'array', items: domain } });

/** A key that signs tokens, or that signed tokens which are still valid. The private key is never shown. */
export const signingKey = {
  type: 'object',
  required: ['key_id', 'token_use', 'algorithm', 'signs', 'created_at', 'retired_at'],
  properties: {
    key_id: { type: 'string', description: 'The kid of the published key.' },
    token_use: { type: 'string', enum: ['access', 'id'] },
    algorithm: { type: 'string', enum: ['RS256', 'ES256'] },
    signs: { type: 'boolean', description: 'Whether new tokens are signed with it.' },
    created_at: nullableTime,
    retired_at: { ...nullableText, description: 'When it stopped signing, or null while it signs.' },
  },
} as const satisfies Schema;

/** Every published key. */
export const signingKeyList = createSuccessSchema({ keys: { type: 'array', items: signingKey } });

/** A user pool with its settings. */
export const userPool = {
  type: 'object',
  required: ['user_pool_id', 'name', 'region', 'issuer', 'domains', 'settings', 'mfa_settings', 'unsupported_settings'],
  properties: {
    user_pool_id: text,
    name: text,
    region: text,
    issuer: { type: 'string', description: 'The iss of its tokens.' },
    domains: { type: 'array', items: domain },
    settings: {
      type: 'object',
      properties: {},
      description: 'As DescribeUserPool of the Cognito API returns them, by the same names.',
    },
    mfa_settings: {
      type: 'object',
      properties: {},
      description: 'As GetUserPoolMfaConfig of the Cognito API returns them.',
    },
    unsupported_settings: {
      type: 'array',
      description: 'Settings that are stored but have no effect.',
      items: {
        type: 'object',
        required: ['setting', 'promises_security'],
        properties: {
          setting: text,
          promises_security: {
            type: 'boolean',
            description: 'Whether an operator would rely on it for protection.',
          },
        },
      },
    },
  },
} as const satisfies Schema;

/** A success response with a user pool. */
export const userPoolAnswer = createSuccessSchema({ pool: userPool });
