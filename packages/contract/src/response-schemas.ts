import type { Schema } from './schema.ts';

const text = { type: 'string' } as const satisfies Schema;
const texts = { type: 'array', items: text } as const satisfies Schema;
const stringMap = { type: 'object', additionalProperties: text } as const satisfies Schema;
const nullableText = { anyOf: [text, { type: 'null' }] } as const satisfies Schema;
const nullableTime = { ...nullableText, description: 'ISO 8601, UTC.' } as const satisfies Schema;

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

const SUCCESS_REQUIRED = ['status', 'message', 'data'] as const;

/** The members of every success response. */
const successFields = {
  status: { type: 'string', enum: ['success'] },
  message: text,
  data: { type: 'object', properties: {} },
} as const;

/**
 * Creates the schema of a success response with data.
 * @param members the members that are always present
 * @param optional the members that are present when they have a value
 */
export function createSuccessSchema<
  const Members extends Readonly<Record<string, Schema>>,
  const Optional extends Readonly<Record<string, Schema>> = Readonly<Record<never, never>>,
>(members: Members, optional?: Optional) {
  const shown = Object.keys(members) as (keyof Members & string)[];
  return {
    type: 'object',
    required: [...SUCCESS_REQUIRED, ...shown],
    properties: { ...successFields, ...members, ...(optional as Optional) },
  } as const satisfies Schema;
}

/** A success response without data. */
export const success = createSuccessSchema({});

/** What a page asks for together with a code. */
export const signInField = {
  sign_in: {
    type: 'boolean',
    description:
      'Browser sessions only: true also signs in the browser that requested the code. Elsewhere, and in any other browser, it has no effect.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** A reset code was sent. */
export const resetCode = createSuccessSchema(
  {},
  {
    session: {
      type: 'string',
      description: 'Belongs to the code. Send both to /password/reset. Missing only if Amazon Cognito is the provider.',
    },
  },
);

/** Whether the change ended other logins; part of the response to a change of login factors. */
export const loginEnded = {
  login_ended: {
    type: 'boolean',
    description:
      'True if the provider could not end the other sessions alone, so this one has ended too. Otherwise missing.',
  },
} as const;

/** A success response after the caller's other sessions ended. */
export const otherSessionsEnded = createSuccessSchema({}, loginEnded);

/** A password reset that an administrator required. */
export const resetRequired = {
  type: 'object',
  required: [...SUCCESS_REQUIRED],
  properties: {
    ...successFields,
    data: {
      type: 'object',
      required: ['code_sent'],
      properties: {
        code_sent: {
          type: 'boolean',
          description:
            'False: the user has no proven contact, or was sent too many codes. Give the user an address and reset again, or set another password.',
        },
      },
    },
  },
} as const satisfies Schema;

/** The second factors of a user. */
export const mfa = {
  type: 'object',
  required: ['enabled', 'preferred', 'methods'],
  properties: { enabled: { type: 'boolean' }, preferred: nullableText, methods: texts },
} as const satisfies Schema;

/** A user in a response. */
export const user = {
  type: 'object',
  required: [
    'username',
    'sub',
    'email',
    'email_verified',
    'attributes',
    'mfa',
    'is_webauthn_enabled',
    'password_reset_required',
  ],
  properties: {
    username: text,
    sub: text,
    email: nullableText,
    email_verified: { type: 'boolean' },
    phone_number: text,
    status: text,
    enabled: { type: 'boolean' },
    attributes: stringMap,
    groups: texts,
    mfa,
    is_webauthn_enabled: { type: 'boolean' },
    password_reset_required: { type: 'boolean' },
    created_at: { type: 'string', description: 'ISO 8601, UTC.' },
    updated_at: { type: 'string', description: 'ISO 8601, UTC.' },
  },
} as const satisfies Schema;

/** A success response with a user. */
export const userAnswer = createSuccessSchema({ user });

/** The masked destination of a code. */
export const delivery = {
  type: 'object',
  required: ['attribute', 'medium', 'destination'],
  properties: {
    attribute: text,
    medium: text,
    destination: { type: 'string', description: 'Masked.' },
  },
} as const satisfies Schema;

/** A success response with a user and the destinations of codes. */
export const updatedUser = createSuccessSchema({
  user,
  code_delivery: {
    type: 'array',
    items: delivery,
    description: 'Contacts that must be verified. The old values stay until then.',
  },
});

/** A success response with the destination of a code. */
export const codeDelivery = createSuccessSchema({ code_delivery: { type: 'array', items: delivery } });

/** A registration. Existing users get the same shape, so that it reveals nothing. */
export const registration = createSuccessSchema({
  session: {
    type: 'string',
    description: 'To be sent back with the code: it tells this registration from others of the same address.',
  },
});

/** A range of a breached-password list. */
export const passwordRange = {
  type: 'object',
  required: ['status', 'message', 'data', 'suffixes'],
  properties: {
    ...success.properties,
    suffixes: {
      type: 'array',
      items: { type: 'string' },
      description: 'The other 35 digits of each SHA-1 on the list that begins with the prefix, in upper case.',
    },
  },
} as const satisfies Schema;

/** What a client needs to compute the verifier of a new password. */
export const passwordStart = createSuccessSchema({
  username: { type: 'string', description: 'The SRP identity. Of a new user: to be sent with /register.' },
  salt: { type: 'string', description: 'A fresh salt, hexadecimal.' },
});

/** A changed password. */
export const passwordChange = createSuccessSchema({
  login_ended: {
    type: 'boolean',
    description: 'True if the provider cannot distinguish logins, so this one has ended too.',
  },
});

/** A page of sessions. */
export const sessionList = createSuccessSchema({
  sessions: {
    type: 'array',
    items: {
      type: 'object',
      required: [
        'id',
        'session_id',
        'client_id',
        'current',
        'started_at',
        'refreshed_at',
        'expires_at',
        'device_key',
        'source_address',
        'kind',
        'browser',
        'system',
        'place',
      ],
      properties: {
        id: text,
        session_id: {
          type: 'string',
          description: 'Its ID in `ListUserSessions`, 28 characters. It can also be used to end the session.',
        },
        client_id: text,
        current: { type: 'boolean', description: 'Whether the access token of this request belongs to it.' },
        started_at: { type: 'string', description: 'ISO 8601, UTC.' },
        refreshed_at: { ...nullableTime, description: 'ISO 8601, UTC. Null before the first refresh.' },
        expires_at: { ...nullableTime, description: 'ISO 8601, UTC. Null if unknown.' },
        device_key: nullableText,
        source_address: { ...nullableText, description: 'The address from which it was started, or null if unknown.' },
        kind: {
          type: 'string',
          enum: ['session', 'application'],
          description: '`application`: an application that is signed in through OAuth.',
        },
        browser: { ...nullableText, description: 'The name of the browser, or null if unknown.' },
        system: { ...nullableText, description: 'The name of the operating system, or null if unknown.' },
        place: {
          anyOf: [
            {
              type: 'object',
              required: ['city', 'country'],
              properties: { city: nullableText, country: { type: 'string', description: 'ISO 3166-1 alpha-2.' } },
            },
            { type: 'null' },
          ],
          description: 'Where the address probably is, or null if unknown.',
        },
      },
    },
  },
  next_cursor: { ...nullableText, description: 'For the next page, or null on the last one.' },
});

/** A newly created user. */
export const createdUser = createSuccessSchema(
  { user },
  { temp_password: { type: 'string', description: 'Only if the service created it. Shown only once.' } },
);

/** A device in a response. */
export const device = {
  type: 'object',
  required: [
    'device_key',
    'device_name',
    'remembered',
    'device_attributes',
    'last_ip',
    'created_at',
    'last_modified_at',
    'last_authenticated_at',
  ],
  properties: {
    device_key: text,
    device_name: nullableText,
    remembered: {
      anyOf: [{ type: 'boolean' }, { type: 'null' }],
      description: 'Null if unknown.',
    },
    device_attributes: stringMap,
    last_ip: nullableText,
    created_at: nullableTime,
    last_modified_at: nullableTime,
    last_authenticated_at: nullableTime,
  },
} as const satisfies Schema;

/** A success response with a device. */
export const deviceAnswer = createSuccessSchema({ device });

/** A page of devices. */
export const deviceList = createSuccessSchema({
  devices: { type: 'array', items: device },
  next_cursor: { ...nullableText, description: 'For the next page, or null on the last one.' },
});

/** A newly registered device. */
export const registeredDevice = {
  type: 'object',
  required: ['status', 'message', 'data', 'device_confirmed', 'user_confirmation_necessary'],
  properties: {
    ...successFields,
    data: {
      type: 'object',
      required: ['UserConfirmationNecessary'],
      properties: {
        UserConfirmationNecessary: {
          type: 'boolean',
          description: 'True: ask the user whether to remember the device, then update it.',
        },
      },
    },
    device_confirmed: { type: 'boolean' },
    user_confirmation_necessary: { type: 'boolean' },
  },
} as const satisfies Schema;

/** A new authenticator app that the user has not verified yet. */
export const mfaActivation = createSuccessSchema(
  {
    SecretCode: { type: 'string', description: 'Base32. Shown this once.' },
    SecretCodeQR: { type: 'string', description: 'URL of a QR image of TotpUri: the image itself, unless configured.' },
    TotpUri: { type: 'string', description: 'otpauth://totp/…' },
  },
  { session: { type: 'string', description: 'Where a session was sent: the one to verify with.' } },
);

/** A verified authenticator app. */
export const mfaVerification = createSuccessSchema(
  {},
  {
    ...loginEnded,
    session: { type: 'string', description: 'Where a session was sent: the one to answer MFA_SETUP with.' },
  },
);

/** New recovery codes. */
export const recoveryCodes = createSuccessSchema(
  { recovery_codes: { ...texts, description: 'Shown this once.' } },
  loginEnded,
);

/** The login factors that a user has set up. */
export const userFactors = createSuccessSchema({
  factors: { ...texts, description: 'Everything that the user can prove.' },
  mfa,
  recovery_codes_left: {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'Null if the provider has no recovery codes.',
  },
});

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

/** A message in the development outbox. */
export const outboxEntry = {
  type: 'object',
  required: ['id', 'to', 'channel', 'subject', 'text', 'at'],
  properties: {
    id: { type: 'string', description: 'The same at every try to send it.' },
    to: text,
    channel: { type: 'string', enum: ['email', 'sms'] },
    subject: text,
    text,
    html: { type: 'string', description: 'The other text of a mail.' },
    code: text,
    at: { type: 'string', description: 'ISO 8601, UTC.' },
  },
} as const satisfies Schema;

/** An error response (RFC 9457) with the additional members `code` and `errors`. */
export const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', description: 'The page that explains the code.' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { type: 'string', description: 'Names this one request: its X-Request-Id.' },
    code: { type: 'string', description: 'A stable code for programs.' },
    reason: {
      type: 'string',
      description:
        'Of 401 `unauthenticated`: `missing`, `invalid`, `expired`, `not_an_access_token`, `revoked`, or `no_admin_key`. Of 403 `csrf_failed` and 421 `misdirected_request`: `wrong_address`, or `cookies_missing`.',
    },
    opened_at: { type: 'string', description: 'With 403 `wrong_address`: the address at which the page was opened.' },
    base_url: { type: 'string', description: 'With `wrong_address`: the address of the service.' },
    available_challenges: {
      type: 'array',
      items: text,
      description:
        'Of 429 `too_many_requests` for a password: the other first factors that the pool offers. The list is the same for every username.',
    },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: text, code: text, message: text },
      },
    },
    registration: {
      type: 'object',
      required: ['required_attributes'],
      description:
        'Of a 422 that says what a confirmation lacks: what a client needs to prove the password of the registration, or to set a new one.',
      properties: {
        username: { type: 'string', description: 'The SRP identity of the registration.' },
        salt: { type: 'string', description: 'The salt of its password, hexadecimal.' },
        required_attributes: {
          type: 'array',
          items: text,
          description: 'Attributes that must be sent with a new password.',
        },
      },
    },
  },
} as const satisfies Schema;

/** An account at another identity provider with which a user can sign in. */
export const connectedIdentity = {
  type: 'object',
  required: ['id', 'provider', 'type', 'connected_at', 'primary'],
  properties: {
    id: { type: 'string' },
    provider: { type: 'string' },
    type: { type: 'string' },
    connected_at: { type: 'string', description: 'ISO 8601, UTC.' },
    primary: {
      type: 'boolean',
      description: 'True: the user was created from this account, which cannot be disconnected.',
    },
  },
} as const satisfies Schema;

/** A provider to connect. */
export const offeredProvider = {
  type: 'object',
  required: ['name', 'type'],
  properties: { name: { type: 'string' }, type: { type: 'string' } },
} as const satisfies Schema;

/** The accounts with which a user can sign in, and the providers of which accounts can be connected. */
export const connectedIdentities = createSuccessSchema({
  identities: { type: 'array', items: connectedIdentity },
  providers: { type: 'array', items: offeredProvider },
});
