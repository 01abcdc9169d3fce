import { deviceKey, identityProviderName, password } from './field-schemas.ts';
import { loginRoutes } from './login-routes.ts';
import { defineRoutes, NO_BODY } from './route-definition.ts';
import { success } from './success-schema.ts';
import { providerLocation, webLoginOutcome, webSession, webSignedIn, webUnfinished } from './web-response-schemas.ts';

const staySignedIn = {
  type: 'boolean',
  description:
    'True: the session outlives the browser. Counts for the login that ends with this request, or a later step of it.',
} as const;

const returnTo = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  description:
    'Where to send the browser afterwards: a path of the service or an allowed origin. Default: the account page.',
} as const;

const OUTCOME = {
  200: { description: 'The session is open, or the next challenge.', schema: webLoginOutcome },
} as const;

const { login, loginAnswer } = loginRoutes;

/**
 * The routes that exist, or differ, only for browser sessions: no response contains a token. Their paths are relative to the browser
 * session prefix. All other routes that need no admin key work there as they do elsewhere.
 */
export const webRoutes = defineRoutes({
  webSession: {
    method: 'GET',
    path: '/session',
    aliases: [],
    mount: 'web',
    guard: 'public',
    limit: 'read',
    summary: 'Get the signed-in user and the CSRF token',
    query: {
      type: 'object',
      properties: {
        return_to: {
          type: 'string',
          minLength: 1,
          maxLength: 8192,
          description: 'Where to send the browser after the login. Returned only if it is allowed.',
        },
      },
    },
    responses: { 200: { description: 'The session, or that there is none.', schema: webSession } },
    errors: [],
  },
  webUnfinished: {
    method: 'GET',
    path: '/session/unfinished',
    aliases: [],
    mount: 'web',
    guard: 'public',
    limit: 'read',
    summary:
      'The step that this browser began last and has not finished: a challenge, or the code of a sign-up or a reset',
    responses: { 200: { description: 'The step, or that there is none.', schema: webUnfinished } },
    errors: [],
  },
  webStepUp: {
    method: 'POST',
    path: '/session/step-up',
    aliases: [],
    mount: 'web',
    guard: 'user',
    limit: 'login',
    summary: 'Sign in again in the same session, with a password or a challenge',
    body: {
      type: 'object',
      properties: {
        password: {
          ...password,
          description: 'The password. Left out: the answer to a challenge of a login by the same user.',
        },
        device_key: deviceKey,
        ...loginAnswer.body.properties,
      },
    },
    responses: OUTCOME,
    errors: [...loginAnswer.errors],
  },
  webStepUpProvider: {
    method: 'POST',
    path: '/session/step-up/provider',
    aliases: [],
    mount: 'web',
    guard: 'user',
    limit: 'login',
    summary: 'Start to sign in again at the identity provider of the user. The browser then loads the location',
    body: {
      type: 'object',
      required: ['provider'],
      properties: { provider: identityProviderName, return_to: returnTo },
    },
    responses: { 200: { description: 'The address of the provider.', schema: providerLocation } },
    errors: ['identity_provider_not_found', 'feature_disabled', 'unavailable'],
  },
  webIdentityStart: {
    method: 'POST',
    path: '/user/identities/start',
    aliases: [],
    mount: 'web',
    guard: 'user',
    recentLogin: true,
    limit: 'login',
    summary: 'Start to connect an account at another identity provider. The browser then loads the location',
    body: {
      type: 'object',
      required: ['provider'],
      properties: { provider: identityProviderName, return_to: returnTo },
    },
    responses: { 200: { description: 'The address of the provider.', schema: providerLocation } },
    errors: ['identity_provider_not_found', 'feature_disabled', 'unavailable'],
  },
  webLogin: {
    ...login,
    mount: 'web',
    summary: 'Log in with a password',
    body: { ...login.body, properties: { ...login.body.properties, stay_signed_in: staySignedIn } },
    responses: OUTCOME,
  },
  webLoginAnswer: {
    ...loginAnswer,
    mount: 'web',
    body: { ...loginAnswer.body, properties: { ...loginAnswer.body.properties, stay_signed_in: staySignedIn } },
    responses: OUTCOME,
  },
  webRefresh: {
    method: 'POST',
    path: '/token/refresh',
    aliases: [{ method: 'POST', path: '/token/revalidate' }],
    mount: 'web',
    guard: 'user',
    limit: 'login',
    summary: 'Refresh the tokens of the session, for example after a change of claims',
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'They are new, or were a moment ago.', schema: webSignedIn } },
    errors: [],
  },
  webForwardAuth: {
    method: 'GET',
    path: '/forward-auth',
    aliases: [],
    mount: 'web',
    guard: 'public',
    limit: 'none',
    summary: 'Check for a proxy whether the browser is signed in',
    query: {
      type: 'object',
      properties: {
        group: {
          type: 'string',
          minLength: 1,
          maxLength: 1024,
          description: 'The user must be in this group, or in one of several with commas between them.',
        },
        redirect: {
          type: 'string',
          enum: ['1'],
          description:
            'Redirects a user who is not signed in to the sign-in page and back. The request must come from a trusted proxy, and the application must be on a return origin.',
        },
      },
    },
    responses: {
      204: {
        description:
          'Signed in. The headers X-Poolgate-Sub, -Username, -Email, -Email-Verified and -Groups describe the user in percent-encoded UTF-8. X-Poolgate-Email is empty unless the address is verified.',
        schema: NO_BODY,
      },
      302: { description: 'Redirects the browser to the sign-in page.', schema: NO_BODY },
    },
    errors: ['unauthenticated', 'forbidden', 'too_many_requests'],
  },
  webForwardAuthStart: {
    method: 'GET',
    path: '/forward-auth/start',
    aliases: [],
    mount: 'web',
    guard: 'public',
    limit: 'login',
    summary: 'Carry the session to an application on another host',
    query: {
      type: 'object',
      required: ['return_to', 'browser'],
      properties: {
        return_to: {
          type: 'string',
          minLength: 1,
          maxLength: 4096,
          description: 'A URL of the application, at a return origin of the settings.',
        },
        browser: {
          type: 'string',
          pattern: '^[0-9a-f]{64}$',
          description: 'The digest of what the browser keeps in a cookie of the application.',
        },
      },
    },
    responses: {
      302: {
        description:
          "Redirects the browser to the callback on the application's host with a single-use ticket, or to the sign-in page.",
        schema: NO_BODY,
      },
    },
    errors: ['forbidden'],
  },
  webForwardAuthCallback: {
    method: 'GET',
    path: '/.poolgate/callback',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'login',
    summary: "Finish a sign-in on an application's host",
    query: {
      type: 'object',
      required: ['ticket'],
      properties: {
        ticket: {
          type: 'string',
          pattern: '^[\\w-]{43}$',
          description:
            'The single-use ticket. The service consumes it before it checks the host and the cookie of the browser.',
        },
      },
    },
    responses: {
      302: { description: 'Signed in. Redirects the browser to the page it asked for.', schema: NO_BODY },
    },
    errors: ['forbidden'],
  },
  webLogout: {
    method: 'POST',
    path: '/logout',
    aliases: [{ method: 'PUT', path: '/logout' }],
    mount: 'web',
    guard: 'user',
    limit: 'read',
    summary: 'End the session and its login',
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'It has ended.', schema: success } },
    errors: [],
  },
});
