import assert from 'node:assert/strict';
import type { Exchange } from '../requests/exchange.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';
import { findLastCode } from './route-account.ts';

/** An API for registration and login. Rejected calls return undefined. */
export interface RegistrationApi {
  readonly name: string;
  /** Returns the session. */
  register(service: TestService, email: string, password: string, phone?: string): Promise<string>;
  /** Whether a confirmation without the session sets the password of the person who confirms. */
  readonly setsPassword: boolean;
  /** Whether the latest code was accepted from the owner of the address. */
  confirm(service: TestService, email: string, session?: string): Promise<boolean>;
  /** Returns the tokens of a login. */
  logIn(service: TestService, username: string, password: string): Promise<EntryTokens | undefined>;
  /** Returns the tokens of a login with an emailed code. */
  logInByCode(service: TestService, email: string): Promise<EntryTokens | undefined>;
}

/** The tokens of a user who got in. */
export interface EntryTokens {
  readonly access: string;
  readonly refresh: string;
}

/** Returns the user of an access token. */
export function readSub({ access }: EntryTokens): string {
  return JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).sub;
}

function readRouteTokens({ status, body }: Exchange): EntryTokens | undefined {
  if (status !== 200 || body.status !== 'success') return undefined;
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

/** Its email: of two replicas, either may have sent the code of a sign-up a moment later. */
const SIGN_IN_CODE = 'Your sign-in code';

const routes: RegistrationApi = {
  name: 'the routes',
  setsPassword: true,
  async register(service, email, password, phone) {
    const attributes = phone === undefined ? {} : { attributes: { phone_number: phone } };
    const answer = await service.post('/register', { email, password, ...attributes });
    assert.equal(answer.status, 200, answer.text);
    return String(answer.body.session);
  },
  async confirm(service, email, session) {
    const code = findLastCode(service, email);
    const own = session === undefined ? { password: PASSWORD } : { session };
    return (await service.post('/register/verify', { email, code, ...own })).status === 200;
  },
  logIn: async (service, username, password) => readRouteTokens(await service.post('/login', { username, password })),
  async logInByCode(service, username) {
    const path = '/login/passkey/challenge/email_otp';
    const { body } = await service.ask('GET', path, { body: { username } });
    return readRouteTokens(
      await service.post('/login/challenge', {
        challenge_name: 'EMAIL_OTP',
        session: body.Session,
        username,
        challenge_value: findLastCode(service, username, SIGN_IN_CODE),
      }),
    );
  },
};

function readOperationTokens({ status, body }: Exchange): EntryTokens | undefined {
  const result = (body as { AuthenticationResult?: Record<string, unknown> }).AuthenticationResult;
  if (status !== 200 || result === undefined) return undefined;
  return { access: String(result.AccessToken), refresh: String(result.RefreshToken) };
}

const cognitoApi: RegistrationApi = {
  name: 'the Cognito-compatible API',
  setsPassword: false,
  async register(service, Username, Password, phone) {
    const UserAttributes = phone === undefined ? [] : [{ Name: 'phone_number', Value: phone }];
    const answer = await service.call('SignUp', { ClientId: service.clientId, Username, Password, UserAttributes });
    assert.equal(answer.status, 200, answer.text);
    return String(answer.body.Session);
  },
  async confirm(service, Username, Session) {
    const own = Session === undefined ? {} : { Session };
    const ConfirmationCode = findLastCode(service, Username);
    const input = { ClientId: service.clientId, Username, ConfirmationCode, ...own };
    return (await service.call('ConfirmSignUp', input)).status === 200;
  },
  async logIn(service, USERNAME, password) {
    const AuthParameters = { USERNAME, PASSWORD: password };
    const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: service.clientId, AuthParameters };
    return readOperationTokens(await service.call('InitiateAuth', input));
  },
  async logInByCode(service, USERNAME) {
    const { clientId: ClientId } = service;
    const AuthParameters = { USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' };
    const { body } = await service.call('InitiateAuth', { AuthFlow: 'USER_AUTH', ClientId, AuthParameters });
    const ChallengeResponses = { USERNAME, EMAIL_OTP_CODE: findLastCode(service, USERNAME, SIGN_IN_CODE) };
    const answer = { ClientId, ChallengeName: 'EMAIL_OTP', Session: body.Session, ChallengeResponses };
    return readOperationTokens(await service.call('RespondToAuthChallenge', answer));
  },
};

/** Both entry points. */
export const REGISTRATION_APIS: readonly RegistrationApi[] = [routes, cognitoApi];

/** The password that an unknown caller chooses. */
export const SQUATTER_PASSWORD = `${PASSWORD}-of-an-attacker`;
