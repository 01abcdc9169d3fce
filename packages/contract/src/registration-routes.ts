import {
  attributes,
  confirmationCode,
  email,
  linkToken,
  password,
  passwordVerifier,
  session,
  username,
} from './field-schemas.ts';
import { passwordStart, registration, signInField } from './password-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';
import { codeAccepted } from './web-response-schemas.ts';

const usernameFields = { username, email } as const;

/** Members of a confirmation in addition to its code or link token. */
const ownershipProofFields = {
  session: {
    ...session,
    description:
      "The session of /register: the password that was sent there becomes the account's. Without it the person proves that password or sets a new one.",
  },
  password: {
    ...password,
    description:
      'Without the session: the password of the registration, or a new one. A new one removes every contact, attribute, factor and device that was never verified.',
  },
  password_verifier: {
    ...passwordVerifier,
    description:
      'Instead of password. Made with the salt of the registration (see password_required) it proves the password; with another salt it sets a new one, and username must be its identity.',
  },
  attributes: { ...attributes, description: 'With a new password: the required attributes, which were removed.' },
} as const;

/** Registration routes. Their responses never reveal whether a user already exists. */
export const registrationRoutes = defineRoutes({
  registerStart: {
    method: 'POST',
    path: '/register/start',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Get the identity and salt for a password verifier, for a new user if no name is sent',
    body: { type: 'object', properties: usernameFields },
    responses: { 200: { description: 'What the verifier is made with.', schema: passwordStart } },
    errors: ['invalid_parameter', 'feature_disabled'],
  },
  register: {
    method: 'POST',
    path: '/register',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Register and send a code. The owner of an existing account gets a notice instead',
    body: {
      type: 'object',
      required: ['email'],
      properties: {
        email,
        password,
        password_confirmation: { ...password, description: 'Where it is sent: the same as password.' },
        password_verifier: passwordVerifier,
        name: {
          type: 'string',
          minLength: 1,
          maxLength: 2048,
          pattern: '^[^\\u0000]*$',
          description: 'The attribute.',
        },
        username: {
          ...username,
          description: 'The username, if users choose one. With password_verifier: the username from /register/start.',
        },
        attributes,
      },
    },
    responses: { 200: { description: 'The owner of the address gets a message.', schema: registration } },
    errors: ['feature_disabled', 'invalid_parameter', 'trigger_refused'],
  },
  registerVerify: {
    method: 'POST',
    path: '/register/verify',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Confirm a registration with a code',
    body: {
      type: 'object',
      required: ['code'],
      properties: {
        ...usernameFields,
        code: confirmationCode,
        ...ownershipProofFields,
        ...signInField,
      },
    },
    responses: { 200: { description: 'The account is confirmed.', schema: codeAccepted } },
    errors: [
      'code_mismatch',
      'code_expired',
      'invalid_credentials',
      'invalid_session',
      'invalid_user_state',
      'invalid_parameter',
      'password_required',
      'feature_disabled',
      'trigger_refused',
    ],
  },
  registerVerifyLink: {
    method: 'POST',
    path: '/register/verify-link',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Confirm a registration with the token of a link, if the pool sends links',
    body: {
      type: 'object',
      required: ['token'],
      properties: { token: linkToken, ...ownershipProofFields, ...signInField },
    },
    responses: { 200: { description: 'The account is confirmed.', schema: codeAccepted } },
    errors: [
      'code_expired',
      'invalid_credentials',
      'invalid_session',
      'invalid_user_state',
      'password_required',
      'feature_disabled',
    ],
  },
  confirmPage: {
    method: 'GET',
    path: '/confirmUser',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    summary:
      'Show the page behind a confirmation link. Opening it changes nothing. It also accepts the query of Cognito links: user_name and confirmation_code',
    responses: {
      200: { description: 'The page.', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    },
    errors: [],
  },
  registerResend: {
    method: 'POST',
    path: '/register/resend-code',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Send a new code for a registration and void the previous one',
    body: {
      type: 'object',
      properties: {
        ...usernameFields,
        session: { ...session, description: 'The session of /register. With it more codes are sent.' },
      },
    },
    responses: { 200: { description: 'Sent, if there is an unconfirmed account.', schema: success } },
    errors: ['feature_disabled', 'trigger_refused'],
  },
});
