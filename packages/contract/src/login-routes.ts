import { deviceKey, password, session, srpInteger, username } from './field-schemas.ts';
import { challenge, loginOutcome, loginParameters } from './login-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';

const OUTCOME = { 200: { description: 'Tokens, or the next challenge.', schema: loginOutcome } } as const;

const registrationSession = {
  ...session,
  description:
    'The session of /register: until the account is confirmed, its right password is answered with user_not_confirmed. Without it the answer is invalid_credentials.',
} as const;

/** Challenge responses are strings, as in Cognito. Only a passkey assertion contains objects and null members. */
const answerMember = {
  anyOf: [{ type: 'string', maxLength: 8192 }, { type: 'object', properties: {} }, { type: 'null' }],
} as const;

/** Routes of a login with several steps. */
export const loginRoutes = defineRoutes({
  login: {
    method: 'POST',
    path: '/login',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Log in with a password',
    body: {
      type: 'object',
      required: ['username', 'password'],
      properties: { username, password, session: registrationSession, device_key: deviceKey },
    },
    responses: OUTCOME,
    errors: [
      'invalid_credentials',
      'invalid_session',
      'password_reset_required',
      'user_not_confirmed',
      'invalid_parameter',
      'feature_disabled',
      'trigger_refused',
    ],
  },
  loginSrp: {
    method: 'POST',
    path: '/login/srp',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Start an SRP login. The password stays on the client',
    body: {
      type: 'object',
      required: ['username'],
      properties: {
        username,
        srp_a: { ...srpInteger, description: 'A = g^a mod N. Left out: the service makes a (discouraged).' },
        session_token: {
          type: 'string',
          minLength: 1,
          maxLength: 256,
          pattern: '^[\\x21-\\x7e]+$',
          description:
            'A unique value from the client. It is returned, and works as session of the PASSWORD_VERIFIER answer.',
        },
        session: registrationSession,
        device_key: deviceKey,
        with_registration: {
          type: 'boolean',
          description:
            'False: the registration that this browser made is left out. Where challenge_params have REGISTRATION, the challenge is about the password of that registration; if the answer is refused, begin again without it.',
        },
        custom: {
          type: 'boolean',
          description: 'True: the triggers of the pool decide on what follows (CUSTOM_AUTH with the password first).',
        },
      },
    },
    responses: OUTCOME,
    errors: ['invalid_credentials', 'invalid_session', 'invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  loginCustom: {
    method: 'POST',
    path: '/login/custom',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: "Start a custom login, whose steps the pool's triggers decide",
    body: { type: 'object', required: ['username'], properties: { username, device_key: deviceKey } },
    responses: OUTCOME,
    errors: ['invalid_credentials', 'invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  loginStepUp: {
    method: 'POST',
    path: '/login/step-up',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary: 'Ask the signed-in user for what an authentication level still needs',
    body: {
      type: 'object',
      required: ['acr_values'],
      properties: {
        acr_values: {
          type: 'string',
          minLength: 1,
          maxLength: 512,
          description: 'Names of levels with spaces between them, the best one first. Unknown names are ignored.',
        },
        max_age: {
          type: 'integer',
          minimum: 0,
          maximum: 999_999_999,
          description: 'After this number of seconds, the earlier sign-in counts for nothing.',
        },
      },
    },
    responses: {
      200: { description: 'The next challenge. Its last answer ends in tokens of that level.', schema: challenge },
    },
    errors: ['invalid_credentials', 'invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  loginAnswer: {
    method: 'POST',
    path: '/login/auth-challenge',
    aliases: [
      { method: 'POST', path: '/challenge' },
      { method: 'POST', path: '/login/challenge' },
    ],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Answer the pending challenge of a login',
    body: {
      type: 'object',
      required: ['challenge_name', 'session'],
      properties: {
        challenge_name: { type: 'string', minLength: 1, maxLength: 64, description: 'Case does not matter.' },
        session,
        username: {
          ...username,
          description: 'Left out in one case only: for the WEB_AUTHN of /login/passkey/discoverable.',
        },
        challenge_value: {
          anyOf: [
            { type: 'string', minLength: 1, maxLength: 16_384 },
            { type: 'object', additionalProperties: answerMember, maxProperties: 60 },
          ],
          description:
            'A code, password or choice as text. For SRP, devices and passkeys: an object or its JSON text. For NEW_PASSWORD_REQUIRED also { password_verifier } instead of the password.',
        },
        challenge_params: {
          anyOf: [
            { type: 'string', minLength: 1, maxLength: 16_384 },
            { type: 'object', additionalProperties: { type: 'string', maxLength: 8192 }, maxProperties: 60 },
          ],
          description: 'The challenge_params of the challenge, as an object or its JSON text.',
        },
      },
    },
    responses: OUTCOME,
    errors: [
      'invalid_credentials',
      'invalid_session',
      'code_mismatch',
      'code_expired',
      'challenge_mismatch',
      'invalid_parameter',
      'password_reset_required',
      'user_not_confirmed',
      'passkey_not_found',
      'feature_disabled',
      'trigger_refused',
    ],
  },
  loginParameters: {
    method: 'GET',
    path: '/login/parameters',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'read',
    summary: 'Get what a client needs before it logs in',
    responses: { 200: { description: 'The parameters.', schema: loginParameters } },
    errors: [],
  },
});
