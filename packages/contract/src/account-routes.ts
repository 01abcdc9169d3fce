import { attributes, confirmationCode, linkToken } from './field-schemas.ts';
import { codeDelivery, success, updatedUser, userAnswer } from './response-schemas.ts';
import { defineRoutes } from './route-definition.ts';

const contact = {
  type: 'string',
  enum: ['email', 'phone_number'],
  description: 'What the code proves.',
} as const;

const CONFIRM = 'Must be true: the account cannot be brought back.';

/** Routes with which users manage their own account. */
export const accountRoutes = defineRoutes({
  userProfile: {
    method: 'GET',
    path: '/user/profile',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "Get the caller's profile",
    responses: { 200: { description: 'The user.', schema: userAnswer } },
    errors: [],
  },
  userUpdate: {
    method: 'PATCH',
    path: '/user/profile',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary:
      "Change the caller's attributes. A new email address or phone number requires a recent login and must be verified",
    body: { type: 'object', required: ['attributes'], properties: { attributes } },
    responses: { 200: { description: 'The user, and where codes were sent.', schema: updatedUser } },
    errors: ['reauthentication_required', 'invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  attributeCode: {
    method: 'POST',
    path: '/user/attributes/code',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary: 'Send a new code for a contact and void the previous one',
    body: { type: 'object', required: ['attribute'], properties: { attribute: contact } },
    responses: { 200: { description: 'Where the code went.', schema: codeDelivery } },
    errors: ['invalid_parameter', 'feature_disabled', 'trigger_refused'],
  },
  attributeVerify: {
    method: 'POST',
    path: '/user/attributes/verify',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary: 'Verify an email address or a phone number with a code',
    body: {
      type: 'object',
      required: ['attribute', 'code'],
      properties: { attribute: contact, code: confirmationCode },
    },
    responses: { 200: { description: 'The attribute is verified.', schema: success } },
    errors: ['code_mismatch', 'code_expired', 'user_exists', 'invalid_parameter'],
  },
  userDelete: {
    method: 'DELETE',
    path: '/user',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    recentLogin: true,
    limit: 'login',
    summary: "Delete the caller's account permanently",
    query: {
      type: 'object',
      properties: { confirm: { type: 'string', enum: ['true', 'false'], description: CONFIRM } },
    },
    body: { type: 'object', properties: { confirm: { type: 'boolean', description: CONFIRM } } },
    responses: { 200: { description: 'The account is gone.', schema: success } },
    errors: [],
  },
  notMe: {
    method: 'POST',
    path: '/account/not-me',
    aliases: [],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Report that someone else made a change. Every session ends and the password must be reset',
    body: {
      type: 'object',
      required: ['token'],
      properties: {
        token: linkToken,
      },
    },
    responses: { 200: { description: 'Every session has ended.', schema: success } },
    errors: ['invalid_session', 'feature_disabled'],
  },
  notMePage: {
    method: 'GET',
    path: '/cognito/not-me',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    summary: 'Show the page behind a "this was not me" link. Opening it changes nothing',
    responses: {
      200: { description: 'The page.', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    },
    errors: [],
  },
});
