import type { Schema } from './schema.ts';
import { nullableText, stringMap, text, texts } from './schema-parts.ts';

/** A finished login. */
export const tokens = {
  type: 'object',
  required: ['status', 'access_token', 'refresh_token', 'id_token', 'token_type', 'expires_in'],
  properties: {
    status: { type: 'string', enum: ['success'] },
    access_token: text,
    refresh_token: text,
    id_token: text,
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Seconds until the access token expires.' },
    new_device_metadata: {
      type: 'object',
      required: ['device_key', 'device_group_key'],
      properties: { device_key: text, device_group_key: text },
    },
  },
} as const satisfies Schema;

/** A login that continues with a challenge. */
export const challenge = {
  type: 'object',
  required: ['status', 'challenge_name', 'session', 'session_token', 'challenge_params', 'username'],
  properties: {
    status: { type: 'string', enum: ['challenge'] },
    challenge_name: text,
    session: { type: 'string', description: 'Send it as session of the answer.' },
    session_token: { type: 'string', description: "The client's own token where it sent one, else the session." },
    challenge_params: stringMap,
    available_challenges: texts,
    username: { type: 'string', description: 'As it was typed.' },
  },
} as const satisfies Schema;

/** The response to any step of a login. */
export const loginOutcome = { anyOf: [tokens, challenge] } as const satisfies Schema;

/** A step of a choice-based login, with Cognito's keys. */
export const choiceStep = {
  type: 'object',
  required: ['ChallengeName', 'Session', 'AvailableChallenges', 'ChallengeParameters'],
  properties: {
    ChallengeName: text,
    Session: { type: 'string', description: 'The session of the answer to /login/challenge.' },
    AvailableChallenges: { ...texts, description: 'Some of EMAIL_OTP, SMS_OTP, WEB_AUTHN.' },
    ChallengeParameters: stringMap,
  },
} as const satisfies Schema;

/** The public parameters that a client needs before login. */
export const loginParameters = {
  type: 'object',
  required: [
    'provider',
    'pool_name',
    'srp',
    'passkeys',
    'mfa',
    'password_policy',
    'challenges',
    'challenge_seconds',
    'first_factors',
    'capabilities',
  ],
  properties: {
    provider: {
      type: 'object',
      required: ['user_pool_id', 'client_id', 'region'],
      properties: { user_pool_id: text, client_id: text, region: text },
    },
    pool_name: { type: 'string', description: 'The part of the pool id after "_", in base64.' },
    srp: {
      type: 'object',
      required: ['N', 'g', 'hash'],
      properties: {
        N: { type: 'string', description: 'Lower-case hexadecimal.' },
        g: { type: 'string', description: 'Lower-case hexadecimal.' },
        hash: text,
      },
    },
    passkeys: {
      type: 'object',
      required: ['enabled', 'rp_id'],
      properties: {
        enabled: { type: 'boolean' },
        rp_id: { ...nullableText, description: 'The relying party, or null without passkeys.' },
      },
    },
    mfa: { type: 'object', required: ['setup', 'types'], properties: { setup: text, types: texts } },
    password_policy: {
      anyOf: [
        {
          type: 'object',
          required: [
            'minimum_length',
            'maximum_length',
            'require_uppercase',
            'require_lowercase',
            'require_numbers',
            'require_symbols',
            'symbols',
            'refuse_common',
            'refuse_leaked',
          ],
          properties: {
            minimum_length: { type: 'integer', description: 'In code points, as the maximum.' },
            maximum_length: { type: 'integer' },
            require_uppercase: { type: 'boolean' },
            require_lowercase: { type: 'boolean' },
            require_numbers: { type: 'boolean' },
            require_symbols: { type: 'boolean' },
            symbols: { type: 'string', description: 'Each character of it counts as a symbol.' },
            refuse_common: {
              type: 'boolean',
              description: "Whether the most used passwords, and the user's own names, are refused.",
            },
            refuse_leaked: { type: 'boolean', description: 'Whether passwords that have leaked are refused.' },
          },
        },
        { type: 'null' },
      ],
      description: 'Rules for new passwords, or null if unknown.',
    },
    challenges: texts,
    challenge_seconds: {
      anyOf: [{ type: 'integer' }, { type: 'null' }],
      description: 'How long a challenge can be answered, or null if unknown.',
    },
    first_factors: {
      ...texts,
      description:
        'The factors that a login of any user can begin with: some of PASSWORD, EMAIL_OTP, SMS_OTP, WEB_AUTHN.',
    },
    capabilities: texts,
  },
} as const satisfies Schema;
