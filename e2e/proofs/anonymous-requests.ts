import type { ConsoleRouteName, RouteName, WebRouteName } from '@poolgate/contract';
import type { OperationName } from '@poolgate/provider';
import { DEMO_USER } from 'poolgate';
import { PAGE_PATHS } from '../support/browser/shown-pages.ts';
import { createAuthorizeQuery, type OAuthClient } from '../support/oauth/oauth-client.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { logInBySrp } from '../support/routes/route-srp.ts';
import { PASSWORD, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

/** App clients of the pool: one without a secret, and one with. */
export interface AnonymousClients {
  readonly open: OAuthClient;
  readonly machine: OAuthClient;
}

/** A request that anyone can send, with a new name that does not exist. */
export interface AnonymousRequest {
  readonly request: string;
  /** The requested routes and operations; endpoints of OAuth and pages by method and path. */
  readonly asks: readonly (
    | RouteName
    | WebRouteName
    | ConsoleRouteName
    | OperationName
    | `${'GET' | 'POST'} /${string}`
  )[];
  /**
   * What may stay longer than a day: a registration, until it is confirmed or expires, or an event `in the log`, whose number is limited.
   */
  readonly isKept?: 'registration' | 'in the log';
  readonly send: (service: TestService, name: string, clients: AnonymousClients) => Promise<Exchange>;
}

const PAGE_URLS = PAGE_PATHS.map((path) => `/cognito/${path}` as const);

const SRP_A = 'ab'.repeat(384);
const INVENTED_CODE = '12345678';
const WRONG_TOKEN = { authorization: 'Bearer x.y.z' };
const NO_KEY = { authorization: `Bearer pg_nobody_${'x'.repeat(40)}` };

function client(service: TestService, operation: OperationName, input: object): Promise<Exchange> {
  return service.call(operation, { ClientId: service.clientId, ...input });
}

async function answered(service: TestService, first: Exchange, username: string, value: unknown): Promise<Exchange> {
  const { challenge_name, session } = first.body;
  return service.post('/login/auth-challenge', { challenge_name, session, username, challenge_value: value });
}

async function cognitoApiAnswer(service: TestService, username: string, preferred: string): Promise<Exchange> {
  const AuthParameters = { USERNAME: username, PREFERRED_CHALLENGE: preferred };
  const first = await client(service, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters });
  const { ChallengeName, Session } = first.body;
  const ChallengeResponses = { USERNAME: username, [`${preferred}_CODE`]: INVENTED_CODE };
  return client(service, 'RespondToAuthChallenge', { ChallengeName, Session, ChallengeResponses });
}

async function codeLogin(service: TestService, username: string): Promise<Exchange> {
  const first = await service.post('/login/passkey/challenge/EMAIL_OTP', { username });
  const { ChallengeName: challenge_name, Session: session } = first.body;
  return service.post('/login/challenge', { challenge_name, session, username, challenge_value: INVENTED_CODE });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function form(service: TestService, path: string, fields: Readonly<Record<string, string>>): Promise<Exchange> {
  return service.post(path, new URLSearchParams(fields).toString(), FORM);
}

/** The length that applications use if it contains their own request. */
const LONG_STATE = 's'.repeat(3_000);
const CHALLENGE = 'c'.repeat(43);

/** A browser that an application redirects to the pages, and that stores no cookie. */
function toPages(path: string): AnonymousRequest {
  return {
    request: `GET ${path}, of an application`,
    asks: [`GET ${path}` as `GET /${string}`],
    send: (service, name, { open }) =>
      service.get(`${path}?${createAuthorizeQuery(open, CHALLENGE, { login_hint: name, state: LONG_STATE })}`),
  };
}

const OAUTH_REQUESTS: readonly AnonymousRequest[] = [
  ...['/oauth2/authorize', '/login', '/signup', '/forgotPassword', '/passkeys/add'].map(toPages),
  {
    request: 'POST /oauth2/authorize, of an application',
    asks: ['POST /oauth2/authorize'],
    send: (service, name, { open }) => {
      const query = createAuthorizeQuery(open, CHALLENGE, { login_hint: name, state: LONG_STATE });
      return form(service, '/oauth2/authorize', Object.fromEntries(new URLSearchParams(query)));
    },
  },
  {
    request: 'GET, POST /oauth2/authorize/continue, with an invented request',
    asks: ['GET /oauth2/authorize/continue', 'POST /oauth2/authorize/continue'],
    async send(service, name) {
      await form(service, '/oauth2/authorize/continue', { request: name, choice: 'continue' });
      return service.get(`/oauth2/authorize/continue?request=${encodeURIComponent(name)}`);
    },
  },
  {
    request: 'GET, POST /logout, POST /logout/confirm',
    asks: ['GET /logout', 'POST /logout', 'POST /logout/confirm'],
    async send(service, name, { open }) {
      await form(service, '/logout', { client_id: open.id, id_token_hint: name });
      await form(service, '/logout/confirm', { csrf_token: name });
      return service.get(`/logout?client_id=${open.id}&state=${LONG_STATE}`);
    },
  },
  {
    request: 'POST /oauth2/token, with an invented code',
    asks: ['POST /oauth2/token'],
    send: (service, code, { open }) =>
      form(service, '/oauth2/token', { grant_type: 'authorization_code', client_id: open.id, code }),
  },
  {
    request: 'POST /oauth2/token, with an invented refresh token',
    asks: ['POST /oauth2/token'],
    send: (service, refresh_token, { open }) =>
      form(service, '/oauth2/token', { grant_type: 'refresh_token', client_id: open.id, refresh_token }),
  },
  {
    request: 'POST /oauth2/token, with an invented secret',
    asks: ['POST /oauth2/token'],
    isKept: 'in the log',
    send: (service, client_secret, { machine }) =>
      form(service, '/oauth2/token', { grant_type: 'client_credentials', client_id: machine.id, client_secret }),
  },
  {
    request: 'POST /oauth2/token, of an invented client',
    asks: ['POST /oauth2/token'],
    isKept: 'in the log',
    send: (service, client_id) =>
      form(service, '/oauth2/token', { grant_type: 'client_credentials', client_id, client_secret: PASSWORD }),
  },
  {
    request: 'POST /oauth2/revoke, of an invented token',
    asks: ['POST /oauth2/revoke'],
    send: (service, token, { open }) => form(service, '/oauth2/revoke', { client_id: open.id, token }),
  },
  {
    request:
      'POST /oauth2/device_authorization, by a client that allows no devices; GET, POST /oauth2/device, by nobody',
    asks: ['POST /oauth2/device_authorization', 'GET /oauth2/device', 'POST /oauth2/device'],
    async send(service, user_code, { open }) {
      await form(service, '/oauth2/device_authorization', { client_id: open.id });
      await form(service, '/oauth2/device', { user_code, choice: 'continue' });
      return service.get(`/oauth2/device?user_code=${encodeURIComponent(user_code)}`);
    },
  },
  {
    request:
      'GET and POST /oauth2/idpresponse, GET /oauth2/authorize/provider and /oauth2/identity-providers, by nobody',
    asks: [
      'GET /oauth2/identity-providers',
      'GET /oauth2/authorize/provider',
      'GET /oauth2/idpresponse',
      'POST /oauth2/idpresponse',
    ],
    async send(service, code) {
      const state = 'a'.repeat(32);
      await service.get('/oauth2/identity-providers');
      await service.get(`/oauth2/authorize/provider?provider=${encodeURIComponent(code)}`);
      await form(service, '/oauth2/idpresponse', { state, code });
      return service.get(`/oauth2/idpresponse?state=${state}&code=${encodeURIComponent(code)}`);
    },
  },
  {
    request: 'POST /oauth2/par, by a client without a secret, and its use',
    asks: ['POST /oauth2/par', 'GET /oauth2/authorize'],
    async send(service, name, { open }) {
      const query = createAuthorizeQuery(open, CHALLENGE, { login_hint: name, state: LONG_STATE });
      const { body } = await service.post('/oauth2/par', query, FORM);
      const pushed = new URLSearchParams({ client_id: open.id, request_uri: String(body.request_uri) });
      return service.get(`/oauth2/authorize?${pushed}`);
    },
  },
  {
    request: 'POST /oauth2/introspect, of an invented token',
    asks: ['POST /oauth2/introspect'],
    send: (service, token, { open }) => form(service, '/oauth2/introspect', { client_id: open.id, token }),
  },
  {
    request: 'GET, POST /oauth2/userInfo, with an invented token',
    asks: ['GET /oauth2/userInfo', 'POST /oauth2/userInfo', 'GET /oauth2/userinfo', 'POST /oauth2/userinfo'],
    async send(service, access_token) {
      await form(service, '/oauth2/userinfo', { access_token });
      await form(service, '/oauth2/userInfo', { access_token });
      return service.get('/oauth2/userInfo', WRONG_TOKEN);
    },
  },
];

const PAGE_REQUESTS: readonly AnonymousRequest[] = [
  {
    request: 'GET of the pages',
    asks: PAGE_URLS.map((url) => `GET ${url}` as const),
    async send(service, name) {
      const answers: Exchange[] = [];
      for (const path of PAGE_URLS) answers.push(await service.get(`${path}?login_hint=${encodeURIComponent(name)}`));
      return answers.find(({ status }) => status !== 200) ?? (answers[0] as Exchange);
    },
  },
  {
    request: 'GET /session/unfinished, of a page',
    asks: ['webUnfinished'],
    send: (service) => service.get('/cognito/session/unfinished'),
  },
  {
    request: 'GET /session, of a page',
    asks: ['webSession'],
    send: (service) => service.get('/cognito/session'),
  },
  {
    request: 'POST /console/login, with a key that does not exist',
    asks: ['consoleSession', 'consoleLogin'],
    isKept: 'in the log',
    async send(service) {
      const page = new CookieBrowser(service);
      await page.get('/console/session');
      return page.post('/console/login', { admin_key: `pg_nobody_${'x'.repeat(40)}` });
    },
  },
  {
    request: 'POST /console/logout, without a session',
    asks: ['consoleLogout'],
    async send(service) {
      const page = new CookieBrowser(service);
      await page.get('/console/session');
      return page.post('/console/logout');
    },
  },
  {
    request: 'POST /login, of a page',
    asks: ['webLogin'],
    async send(service, username) {
      const pages = new CookieBrowser(service);
      await pages.session();
      return pages.post('/login', { username, password: PASSWORD });
    },
  },
  {
    request: 'POST /login/srp, then its answer, of a page',
    asks: ['webLoginAnswer'],
    async send(service, username) {
      const pages = new CookieBrowser(service);
      await pages.session();
      return logInBySrp({ ...service, post: (path, body) => pages.post(path, body) }, username);
    },
  },
  {
    request: 'GET /forward-auth, GET /forward-auth/start, GET /.poolgate/callback',
    asks: ['webForwardAuth', 'webForwardAuthStart', 'webForwardAuthCallback'],
    async send(service, name) {
      await service.get(`/cognito/forward-auth/start?state=${encodeURIComponent(name)}`);
      await service.get(`/.poolgate/callback?ticket=${'x'.repeat(43)}`);
      return service.get('/cognito/forward-auth');
    },
  },
];

const NEW = { code: INVENTED_CODE, password: PASSWORD };

/** Every route and operation without authentication, and requests that the others refuse. */
export const ANONYMOUS_REQUESTS: readonly AnonymousRequest[] = [
  ...OAUTH_REQUESTS,
  ...PAGE_REQUESTS,
  {
    request: 'POST /login',
    asks: ['login'],
    send: (service, username) => service.post('/login', { username, password: PASSWORD }),
  },
  {
    request: 'POST /login, wrong password of a user',
    asks: ['login'],
    isKept: 'in the log',
    send: (service) => service.post('/login', { username: DEMO_USER.email, password: 'Wrong-Horse1!' }),
  },
  {
    request: 'POST /login/srp',
    asks: ['loginSrp'],
    send: (service, username) => service.post('/login/srp', { username, srp_a: SRP_A }),
  },
  {
    request: 'POST /login/srp, without srp_a',
    asks: ['loginSrp'],
    send: (service, username) => service.post('/login/srp', { username }),
  },
  {
    request: 'POST /login/custom',
    asks: ['loginCustom'],
    send: (service, username) => service.post('/login/custom', { username }),
  },
  {
    request: 'POST /login/srp, then its answer',
    asks: ['loginSrp', 'loginAnswer'],
    send: (service, username) => logInBySrp(service, username),
  },
  {
    request: 'POST /login/auth-challenge, to no session',
    asks: ['loginAnswer'],
    send: (service, username) =>
      answered(service, { body: { challenge_name: 'EMAIL_OTP', session: 's'.repeat(80) } } as never, username, '1'),
  },
  {
    request: 'POST /login/passkey/challenge',
    asks: ['passkeyChallenges'],
    send: (service, username) => service.post('/login/passkey/challenge', { username }),
  },
  {
    request: 'POST /login/passkey/challenge/WEB_AUTHN',
    asks: ['passkeyChallenge'],
    send: (service, username) => service.post('/login/passkey/challenge/WEB_AUTHN', { username }),
  },
  {
    request: 'POST /login/passkey/challenge/EMAIL_OTP, then a code',
    asks: ['passkeyChallenge', 'loginAnswer'],
    send: codeLogin,
  },
  {
    request: 'POST /login/passkey/discoverable',
    asks: ['passkeyDiscoverable'],
    send: (service) => service.post('/login/passkey/discoverable', {}),
  },
  {
    request: 'POST /token/refresh',
    asks: ['tokenRefresh'],
    send: (service, name) => service.post('/token/refresh', { refresh_token: name }),
  },
  {
    request: 'POST /register/start',
    asks: ['registerStart'],
    send: (service, email) => service.post('/register/start', { email }),
  },
  {
    request: 'POST /register',
    asks: ['register'],
    isKept: 'registration',
    send: (service, email) => service.post('/register', { email, password: PASSWORD }),
  },
  {
    request: 'POST /register/verify',
    asks: ['registerVerify'],
    send: (service, email) => service.post('/register/verify', { email, code: INVENTED_CODE }),
  },
  {
    request: 'POST /register/resend-code',
    asks: ['registerResend'],
    send: (service, email) => service.post('/register/resend-code', { email }),
  },
  {
    request: 'POST /password/forgot',
    asks: ['passwordForgot'],
    send: (service, email) => service.post('/password/forgot', { email }),
  },
  {
    request: 'POST /password/range',
    asks: ['passwordRange'],
    send: (service) => service.post('/password/range', { list: 'common', prefix: '5BAA6' }),
  },
  {
    request: 'POST /password/reset',
    asks: ['passwordReset'],
    send: (service, email) => service.post('/password/reset', { email, ...NEW }),
  },
  {
    request: 'POST /register/verify-link',
    asks: ['registerVerifyLink'],
    send: (service, name) => service.post('/register/verify-link', { token: name.replace(/\W/g, '') }),
  },
  {
    request: 'POST /account/not-me',
    asks: ['notMe'],
    send: (service, name) => service.post('/account/not-me', { token: name.replace(/\W/g, '') }),
  },
  {
    request: 'POST /user/mfa/activate and verify, with a session',
    asks: ['mfaActivate', 'mfaVerify', 'mfaVerifyByPath'],
    async send(service, name) {
      const session = name.padEnd(60, 's');
      await service.post('/user/mfa/activate', { session, username: name });
      await service.post('/user/mfa/activate/123456', { session });
      return service.post('/user/mfa/verify', { session, code: '123456' });
    },
  },
  {
    request: 'GET of what is public',
    asks: [
      'loginParameters',
      'notMePage',
      'confirmPage',
      'openapi',
      'docs',
      'errorPage',
      'health',
      'ready',
      'devOutbox',
      'devMail',
      'devMailBody',
    ],
    async send(service) {
      const paths = [
        '/cognito/not-me',
        '/confirmUser',
        '/openapi.json',
        '/docs/api',
        '/errors/forbidden',
        '/healthz',
        '/readyz',
        '/dev/outbox',
        '/dev/mail',
        '/dev/mail/none',
      ];
      for (const path of paths) await service.get(path);
      return service.get('/login/parameters');
    },
  },
  {
    request: 'GET /user/profile, with an invented token',
    asks: [],
    send: (service) => service.get('/user/profile', WRONG_TOKEN),
  },
  {
    request: 'GET /admin/users, with an invented key',
    asks: [],
    isKept: 'in the log',
    send: (service) => service.get('/admin/users', NO_KEY),
  },
  {
    request: 'InitiateAuth, USER_PASSWORD_AUTH',
    asks: ['InitiateAuth'],
    send: (service, USERNAME) =>
      client(service, 'InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD } }),
  },
  {
    request: 'InitiateAuth, USER_SRP_AUTH',
    asks: ['InitiateAuth'],
    send: (service, USERNAME) =>
      client(service, 'InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME, SRP_A } }),
  },
  {
    request: 'InitiateAuth, EMAIL_OTP, then RespondToAuthChallenge',
    asks: ['InitiateAuth', 'RespondToAuthChallenge'],
    send: (service, username) => cognitoApiAnswer(service, username, 'EMAIL_OTP'),
  },
  {
    request: 'SignUp',
    asks: ['SignUp'],
    isKept: 'registration',
    send: (service, Username) =>
      client(service, 'SignUp', { Username, Password: PASSWORD, UserAttributes: [{ Name: 'email', Value: Username }] }),
  },
  {
    request: 'ConfirmSignUp',
    asks: ['ConfirmSignUp'],
    send: (service, Username) => client(service, 'ConfirmSignUp', { Username, ConfirmationCode: INVENTED_CODE }),
  },
  {
    request: 'ResendConfirmationCode',
    asks: ['ResendConfirmationCode'],
    send: (service, Username) => client(service, 'ResendConfirmationCode', { Username }),
  },
  {
    request: 'ForgotPassword',
    asks: ['ForgotPassword'],
    send: (service, Username) => client(service, 'ForgotPassword', { Username }),
  },
  {
    request: 'ConfirmForgotPassword',
    asks: ['ConfirmForgotPassword'],
    send: (service, Username) =>
      client(service, 'ConfirmForgotPassword', { Username, ConfirmationCode: INVENTED_CODE, Password: PASSWORD }),
  },
  {
    request: 'GetTokensFromRefreshToken, RevokeToken',
    asks: ['GetTokensFromRefreshToken', 'RevokeToken'],
    async send(service, name) {
      await client(service, 'RevokeToken', { Token: name });
      return client(service, 'GetTokensFromRefreshToken', { RefreshToken: name });
    },
  },
  {
    request: 'GetClientToken, with an invented secret',
    asks: ['GetClientToken'],
    send: (service) => client(service, 'GetClientToken', { Secret: 'a'.repeat(40) }),
  },
  {
    request: 'AssociateSoftwareToken, VerifySoftwareToken, with a session',
    asks: ['AssociateSoftwareToken', 'VerifySoftwareToken'],
    async send(service, name) {
      const Session = name.padEnd(60, 's');
      await service.call('AssociateSoftwareToken', { Session });
      return service.call('VerifySoftwareToken', { Session, UserCode: '123456' });
    },
  },
];
