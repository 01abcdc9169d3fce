import { confirmationCode, email, password, passwordVerifier, resetSession, username } from './field-schemas.ts';
import { passwordChange, passwordRange, resetCode, signInField } from './password-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { codeAccepted } from './web-response-schemas.ts';

const usernameFields = { username, email } as const;
const repeatedPasswordFields = { ...password, description: 'Where it is sent: the same as password.' } as const;

/** Routes that set a new password, with a code or with the current password. */
export const passwordRoutes = defineRoutes({
  passwordForgot: {
    method: 'POST',
    path: '/password/forgot',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Send a password reset code',
    body: {
      type: 'object',
      properties: {
        ...usernameFields,
        session: {
          ...resetSession,
          description: 'The session of an earlier code for this user. With it more codes are sent.',
        },
      },
    },
    responses: { 200: { description: 'Sent, if the account can be recovered this way.', schema: resetCode } },
    errors: ['feature_disabled', 'trigger_refused'],
  },
  passwordReset: {
    method: 'POST',
    path: '/password/reset',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Set a new password with a code, and end every login of the user',
    body: {
      type: 'object',
      required: ['code'],
      properties: {
        ...usernameFields,
        code: confirmationCode,
        session: resetSession,
        password,
        password_confirmation: repeatedPasswordFields,
        password_verifier: passwordVerifier,
        ...signInField,
      },
    },
    responses: { 200: { description: 'The password is set.', schema: codeAccepted } },
    errors: [
      'code_mismatch',
      'code_expired',
      'invalid_session',
      'invalid_parameter',
      'feature_disabled',
      'trigger_refused',
    ],
  },
  passwordRange: {
    method: 'POST',
    path: '/password/range',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary:
      "Get entries of a list of refused passwords by the first digits of their SHA-1, for clients that don't send passwords",
    body: {
      type: 'object',
      required: ['list', 'prefix'],
      properties: {
        list: {
          type: 'string',
          enum: ['common', 'leaked'],
          description:
            'common: the most used passwords. Look up the lowercase password, unchanged and without digits and symbols at its end. leaked: look up the unchanged password.',
        },
        prefix: {
          type: 'string',
          minLength: 5,
          maxLength: 5,
          pattern: '^[0-9a-fA-F]{5}$',
          description: 'The first five hexadecimal digits of the SHA-1 of the UTF-8 text.',
        },
      },
    },
    responses: { 200: { description: 'What is on the list.', schema: passwordRange } },
    errors: ['feature_disabled'],
  },
  passwordChange: {
    method: 'POST',
    path: '/user/changepassword',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary:
      "Change the caller's password and end the other logins. With `password_verifier`, a recent login replaces the old password",
    body: {
      type: 'object',
      properties: {
        password: {
          ...password,
          description: 'The old password. Users without one leave it out and need a recent login.',
        },
        new_password: { ...password, description: 'The new one, any characters, never cut.' },
        password_verifier: passwordVerifier,
      },
    },
    responses: { 200: { description: 'The password was changed.', schema: passwordChange } },
    errors: ['invalid_credentials', 'reauthentication_required', 'invalid_parameter', 'feature_disabled'],
  },
});
