import { session, username } from './field-schemas.ts';
import { choiceStep } from './login-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';

const challengeName = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z_]+$',
  description: 'EMAIL_OTP, SMS_OTP or WEB_AUTHN, case-insensitive.',
} as const;

/** Passwordless login: the user chooses a challenge, or a discoverable passkey identifies the user. */
export const choiceLoginRoutes = defineRoutes({
  passkeyChallenges: {
    method: 'GET',
    path: '/login/passkey/challenge',
    aliases: [{ method: 'POST', path: '/login/passkey/challenge' }],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'List how a user can sign in without a password',
    body: { type: 'object', required: ['username'], properties: { username } },
    bodyOnGet: true,
    responses: { 200: { description: 'SELECT_CHALLENGE with what can be chosen.', schema: choiceStep } },
    errors: ['invalid_credentials', 'invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  passkeyChallenge: {
    method: 'GET',
    path: '/login/passkey/challenge/{challenge_name}',
    aliases: [{ method: 'POST', path: '/login/passkey/challenge/{challenge_name}' }],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Start a challenge by name, and send its code if it has one',
    params: { type: 'object', required: ['challenge_name'], properties: { challenge_name: challengeName } },
    body: {
      type: 'object',
      required: ['username'],
      properties: {
        username,
        challenge_name: { ...challengeName, description: 'The same as in the path.' },
        session: {
          ...session,
          description: 'The session of an earlier code for this user and challenge. With it more codes are sent.',
        },
      },
    },
    bodyOnGet: true,
    responses: { 200: { description: 'The challenge.', schema: choiceStep } },
    errors: ['invalid_credentials', 'challenge_mismatch', 'invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  passkeyDiscoverable: {
    method: 'POST',
    path: '/login/passkey/discoverable',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Start a passkey login without a username, for example for autofill',
    body: { type: 'object', properties: {} },
    responses: {
      200: { description: 'WEB_AUTHN, to be answered at /login/challenge without a username.', schema: choiceStep },
    },
    errors: ['feature_disabled'],
  },
});
