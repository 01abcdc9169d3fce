import { formatTimestamp } from '@poolgate/srp';
import { createSrpStart } from '../routes/route-srp.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';
import type { Exchange } from './exchange.ts';

/** A request about a name that anyone can send. */
export interface PublicRequest {
  /** The name of the route or operation. */
  readonly target: string;
  /** The variant, if there are several. */
  readonly variant: string;
  /** The name must be an address: any other name is rejected, whether it exists or not. */
  readonly takesAddressOnly?: true;
  ask(service: TestService, name: string): Promise<Exchange>;
}

const WRONG = 'Wrong-Horse1!';
const NEW = 'Another-Horse2!';
const CODE = '12345678';
const FIRST_FACTORS = ['EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const;

function createRouteRequest(target: string, path: string, more: object = {}, variant = ''): PublicRequest {
  return { target, variant, ask: (service, username) => service.post(path, { username, ...more }) };
}

/** Every public route that accepts a username. */
export const PUBLIC_ROUTE_REQUESTS: readonly PublicRequest[] = [
  createRouteRequest('login', '/login', { password: WRONG }),
  createRouteRequest('loginSrp', '/login/srp', { srp_a: createSrpStart().srpAHex }, 'with SRP_A'),
  createRouteRequest('loginSrp', '/login/srp', {}, 'without SRP_A'),
  createRouteRequest('loginCustom', '/login/custom'),
  { target: 'loginAnswer', variant: 'a wrong password', ask: answerOnRoute },
  {
    target: 'loginAnswer',
    variant: 'a wrong code',
    ask: (service, name) => answerChosenFactor(service, name, 'EMAIL_OTP', CODE),
  },
  createRouteRequest('passkeyChallenges', '/login/passkey/challenge'),
  ...FIRST_FACTORS.map((name) => createRouteRequest('passkeyChallenge', `/login/passkey/challenge/${name}`, {}, name)),
  createRouteRequest('passwordForgot', '/password/forgot'),
  createRouteRequest('passwordReset', '/password/reset', { code: CODE, password: NEW }),
  createRouteRequest('registerStart', '/register/start'),
  createRouteRequest('registerVerify', '/register/verify', { code: CODE }),
  createRouteRequest('registerResend', '/register/resend-code'),
  {
    target: 'register',
    variant: '',
    takesAddressOnly: true,
    ask: (service, email) => service.post('/register', { email, password: PASSWORD }),
  },
];

async function answerOnRoute(service: TestService, username: string): Promise<Exchange> {
  const { body } = await service.post('/login/srp', { username, srp_a: createSrpStart().srpAHex });
  const { SECRET_BLOCK = '' } = body.challenge_params as Readonly<Record<string, string>>;
  const challenge_value = {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: Buffer.alloc(32, 1).toString('base64'),
    TIMESTAMP: formatTimestamp(service.clock.now()),
  };
  const { session } = body;
  return service.post('/login/auth-challenge', {
    challenge_name: 'PASSWORD_VERIFIER',
    session,
    username,
    challenge_value,
  });
}

async function answerChosenFactor(
  service: TestService,
  username: string,
  name: string,
  challenge_value: string,
): Promise<Exchange> {
  const asked = await service.post(`/login/passkey/challenge/${name}`, { username });
  if (asked.status !== 200) return asked;
  const { Session: session } = asked.body;
  return service.post('/login/challenge', { challenge_name: name, session, username, challenge_value });
}

type Input = (service: TestService, name: string) => object;

function createOperationRequest(target: string, input: Input, variant = ''): PublicRequest {
  return {
    target,
    variant,
    ask: (service, name) => service.call(target, { ClientId: service.clientId, ...input(service, name) }),
  };
}

function createInitiateRequest(AuthFlow: string, parameters: Readonly<Record<string, string>> = {}): PublicRequest {
  const variant = [AuthFlow, parameters.PREFERRED_CHALLENGE, parameters.PASSWORD && 'with it']
    .filter(Boolean)
    .join(' ');
  const input: Input = (_, USERNAME) => ({ AuthFlow, AuthParameters: { USERNAME, ...parameters } });
  return createOperationRequest('InitiateAuth', input, variant);
}

const SRP_A = createSrpStart().srpAHex;

/** Every operation of the Cognito-compatible API that accepts a username and needs neither token nor signature. */
export const PUBLIC_OPERATION_REQUESTS: readonly PublicRequest[] = [
  createInitiateRequest('USER_SRP_AUTH', { SRP_A }),
  createInitiateRequest('USER_PASSWORD_AUTH', { PASSWORD: WRONG }),
  createInitiateRequest('USER_AUTH'),
  createInitiateRequest('USER_AUTH', { PREFERRED_CHALLENGE: 'PASSWORD' }),
  createInitiateRequest('USER_AUTH', { PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: WRONG }),
  createInitiateRequest('USER_AUTH', { PREFERRED_CHALLENGE: 'PASSWORD_SRP', SRP_A }),
  ...FIRST_FACTORS.map((PREFERRED_CHALLENGE) => createInitiateRequest('USER_AUTH', { PREFERRED_CHALLENGE })),
  { target: 'RespondToAuthChallenge', variant: 'PASSWORD_VERIFIER', ask: answerOnCognitoApi },
  {
    ...createOperationRequest('SignUp', (_, Username) => ({ Username, Password: PASSWORD })),
    takesAddressOnly: true,
  },
  createOperationRequest('ForgotPassword', (_, Username) => ({ Username })),
  createOperationRequest('ConfirmForgotPassword', (_, Username) => ({
    Username,
    ConfirmationCode: CODE,
    Password: NEW,
  })),
  createOperationRequest('ResendConfirmationCode', (_, Username) => ({ Username })),
  createOperationRequest('ConfirmSignUp', (_, Username) => ({ Username, ConfirmationCode: CODE })),
];

async function answerOnCognitoApi(service: TestService, USERNAME: string): Promise<Exchange> {
  const { clientId: ClientId } = service;
  const { body } = await service.call('InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME, SRP_A },
  });
  const { SECRET_BLOCK = '' } = body.ChallengeParameters as Readonly<Record<string, string>>;
  return service.call('RespondToAuthChallenge', {
    ClientId,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: {
      USERNAME,
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: Buffer.alloc(32, 1).toString('base64'),
      TIMESTAMP: formatTimestamp(service.clock.now()),
    },
  });
}
