import type { Gateway } from '@poolgate/gateway';
import type { KeyRing } from '@poolgate/pool';
import { formatTimestamp } from '@poolgate/srp';
import { createConfirmLink } from '../../packages/pool/src/delivery/confirm-link.ts';
import type { TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { CALLBACK } from '../support/oauth/oauth-client.ts';
import { createSrpStart } from '../support/routes/route-srp.ts';

/** The services that receive the requests. */
export interface TimedServices {
  readonly gateway: Gateway;
  readonly pool: TestPool;
  readonly keyRing: KeyRing;
  /** An app client that redirects its users to the pages of the service. */
  readonly oauthClientId: string;
}

interface Asked {
  readonly path: string;
  /** Absent: the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One kind of request that anyone can send; its preparations are not timed. */
export interface TimedAct {
  readonly name: string;
  /** Whether it creates users with unused names. */
  readonly registers?: true;
  request(services: TimedServices, name: string): Asked | Promise<Asked>;
}

const JSON_TYPE = 'application/json';
const WRONG = 'Wrong-Horse1!';
const NEW = 'Another-Horse2!';
const CODE = '12345678';
const SRP_A = createSrpStart().srpAHex;

function route(path: string, more: object = {}): TimedAct {
  return { name: path, request: (_, username) => ({ path, body: { username, ...more } }) };
}

function cognitoApi(operation: string, what: string, input: (name: string) => object): TimedAct {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  };
  return {
    name: `${operation} ${what}`.trim(),
    request: ({ pool }, name) => ({ path: '/', headers, body: { ClientId: pool.clientId, ...input(name) } }),
  };
}

function initiate(AuthFlow: string, parameters: Readonly<Record<string, string>> = {}): TimedAct {
  return cognitoApi('InitiateAuth', `${AuthFlow} ${parameters.PREFERRED_CHALLENGE ?? ''}`.trim(), (USERNAME) => ({
    AuthFlow,
    AuthParameters: { USERNAME, ...parameters },
  }));
}

/** A request of an application that knows its user: the pages show the name, and reveal nothing about it. */
function page(path: string): TimedAct {
  return {
    name: `${path} login_hint`,
    request({ oauthClientId }, login_hint) {
      const asked = {
        response_type: 'code',
        client_id: oauthClientId,
        redirect_uri: CALLBACK,
        scope: 'openid',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
        login_hint,
      };
      return { path: `${path}?${new URLSearchParams(asked)}` };
    },
  };
}

/** Every request about a name that anyone can send. */
export const TIMED_ACTS: readonly TimedAct[] = [
  route('/login/srp', { srp_a: SRP_A }),
  { name: '/login/auth-challenge', request: answered },
  { name: '/login/challenge EMAIL_OTP', request: codeAnswered },
  route('/login', { password: WRONG }),
  route('/password/forgot'),
  route('/password/reset', { code: CODE, password: NEW }),
  route('/login/passkey/challenge'),
  route('/login/passkey/challenge/WEB_AUTHN'),
  route('/login/passkey/challenge/EMAIL_OTP'),
  { name: '/login/passkey/discoverable', request: () => ({ path: '/login/passkey/discoverable', body: {} }) },
  route('/login/custom'),
  { name: '/challenge CUSTOM_CHALLENGE', request: customAnswered },
  route('/register/start'),
  route('/register/verify', { code: CODE }),
  route('/register/resend-code'),
  { name: '/register/verify-link', request: linkOpened },
  page('/oauth2/authorize'),
  page('/login'),
  page('/signup'),
  page('/forgotPassword'),
  initiate('USER_SRP_AUTH', { SRP_A }),
  initiate('USER_PASSWORD_AUTH', { PASSWORD: WRONG }),
  initiate('CUSTOM_AUTH'),
  initiate('USER_AUTH'),
  initiate('USER_AUTH', { PREFERRED_CHALLENGE: 'WEB_AUTHN' }),
  initiate('USER_AUTH', { PREFERRED_CHALLENGE: 'EMAIL_OTP' }),
  { name: 'RespondToAuthChallenge PASSWORD_VERIFIER', request: answeredOnCognitoApi },
  { name: 'RespondToAuthChallenge EMAIL_OTP', request: codeAnsweredOnCognitoApi },
  cognitoApi('ForgotPassword', '', (Username) => ({ Username })),
  cognitoApi('ConfirmForgotPassword', '', (Username) => ({ Username, ConfirmationCode: CODE, Password: NEW })),
  cognitoApi('ResendConfirmationCode', '', (Username) => ({ Username })),
  cognitoApi('ConfirmSignUp', '', (Username) => ({ Username, ConfirmationCode: CODE })),
  {
    name: '/register',
    registers: true,
    request: (_, email) => ({ path: '/register', body: { email, password: NEW } }),
  },
  { ...cognitoApi('SignUp', '', (Username) => ({ Username, Password: NEW })), registers: true },
  { name: '/login after /register', registers: true, request: (services, email) => probed(services, email, false) },
  {
    name: '/login after /register, session',
    registers: true,
    request: (services, email) => probed(services, email, true),
  },
];

/** A caller who registered an address logs in with the same password. */
async function probed({ gateway }: TimedServices, email: string, hasSession: boolean): Promise<Asked> {
  const { text } = await ask(gateway, { path: '/register', body: { email, password: NEW } });
  const { session } = JSON.parse(text);
  return { path: '/login', body: { username: email, password: NEW, ...(hasSession && { session }) } };
}

async function answered({ gateway, pool }: TimedServices, username: string): Promise<Asked> {
  const started = await ask(gateway, { path: '/login/srp', body: { username, srp_a: SRP_A } });
  const { session, challenge_params } = JSON.parse(started.text);
  const challenge_value = wrongClaim(pool, challenge_params.SECRET_BLOCK);
  return {
    path: '/login/auth-challenge',
    body: { challenge_name: 'PASSWORD_VERIFIER', session, username, challenge_value },
  };
}

function wrongClaim({ clock }: TestPool, secretBlock: string) {
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: secretBlock,
    PASSWORD_CLAIM_SIGNATURE: Buffer.alloc(32, 1).toString('base64'),
    TIMESTAMP: formatTimestamp(clock.now()),
  };
}

async function codeAnswered({ gateway }: TimedServices, username: string): Promise<Asked> {
  const started = await ask(gateway, { path: '/login/passkey/challenge/EMAIL_OTP', body: { username } });
  const { Session: session } = JSON.parse(started.text);
  return {
    path: '/login/challenge',
    body: { challenge_name: 'EMAIL_OTP', session, username, challenge_value: CODE },
  };
}

async function customAnswered({ gateway }: TimedServices, username: string): Promise<Asked> {
  const started = await ask(gateway, { path: '/login/custom', body: { username } });
  const { session } = JSON.parse(started.text);
  return {
    path: '/challenge',
    body: { challenge_name: 'CUSTOM_CHALLENGE', session, username, challenge_value: 'wrong' },
  };
}

/** A used link: its holder presses the button again, whatever has happened to the name since. */
function linkOpened({ keyRing, pool }: TimedServices, username: string): Asked {
  const link = createConfirmLink({ keyRing }, { confirmUrl: '' }, { clientId: pool.clientId, username, code: CODE });
  return { path: '/register/verify-link', body: { token: link.slice(1) } };
}

const SRP_START = initiate('USER_SRP_AUTH', { SRP_A });

async function answeredOnCognitoApi(services: TimedServices, USERNAME: string): Promise<Asked> {
  const started = await ask(services.gateway, await SRP_START.request(services, USERNAME));
  const { ChallengeParameters } = JSON.parse(started.text);
  const ChallengeResponses = { USERNAME, ...wrongClaim(services.pool, ChallengeParameters.SECRET_BLOCK) };
  return respond({ ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses }).request(services, USERNAME);
}

const CODE_START = initiate('USER_AUTH', { PREFERRED_CHALLENGE: 'EMAIL_OTP' });

async function codeAnsweredOnCognitoApi(services: TimedServices, USERNAME: string): Promise<Asked> {
  const started = await ask(services.gateway, await CODE_START.request(services, USERNAME));
  const { Session } = JSON.parse(started.text);
  const ChallengeResponses = { USERNAME, EMAIL_OTP_CODE: CODE };
  return respond({ ChallengeName: 'EMAIL_OTP', Session, ChallengeResponses }).request(services, USERNAME);
}

function respond(answer: object): TimedAct {
  return cognitoApi('RespondToAuthChallenge', '', () => answer);
}

type Prepared = Parameters<Gateway['inject']>[0];

/** A request as received from the network: its text is created anew, without cached results. */
export function prepared({ path, body, headers = {} }: Asked): Prepared {
  if (body === undefined) return { method: 'GET', path: Buffer.from(path).toString(), headers: { host: 'localhost' } };
  return {
    method: 'POST',
    path,
    headers: { host: 'localhost', 'content-type': JSON_TYPE, ...headers },
    body: Buffer.from(JSON.stringify(body)).toString(),
  };
}

/** Sends a request, and reads the complete response. */
export async function send(gateway: Gateway, request: Prepared) {
  const answer = await gateway.inject(request);
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
}

/** The same without timing. */
export const ask = (gateway: Gateway, asked: Asked) => send(gateway, prepared(asked));
