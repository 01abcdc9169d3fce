import type { RouteName } from '@poolgate/contract';
import type { OperationName } from '@poolgate/provider';
import { DEMO_USER } from 'poolgate';
import type { Exchange } from '../support/exchange.ts';
import { loginByRoute } from '../support/route-srp.ts';
import { PASSWORD, type TestService } from '../support/test-service.ts';

/** A request that anybody can send, with a name that nobody has and that no other request had. */
export interface AnonymousRequest {
  readonly request: string;
  /** The routes and operations that it asks. */
  readonly asks: readonly (RouteName | OperationName)[];
  /**
   * What of it may stay longer than a day: a registration, which lives until it is proven or expires, or an event `in the log`, which
   * is bounded by their number.
   */
  readonly isKept?: 'registration' | 'in the log';
  readonly send: (service: TestService, name: string) => Promise<Exchange>;
}

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

async function wireAnswer(service: TestService, username: string, preferred: string): Promise<Exchange> {
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

const NEW = { code: INVENTED_CODE, password: PASSWORD };

/** Every route and operation that asks for no proof of who somebody is, and what is refused at the others. */
export const ANONYMOUS_REQUESTS: readonly AnonymousRequest[] = [
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
    send: (service, username) => loginByRoute(service, username),
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
        '/docs',
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
    send: (service, username) => wireAnswer(service, username, 'EMAIL_OTP'),
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
