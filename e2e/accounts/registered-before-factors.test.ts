import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { createAnswerBody, type PendingChallenge, toPendingChallenge } from '../support/requests/pending-challenges.ts';
import {
  listProofsAgainst,
  readGetUserSub,
  readProfileSub,
  registerAsAttacker,
} from '../support/routes/ownership-proofs.ts';
import {
  type EntryTokens,
  REGISTRATION_APIS,
  type RegistrationApi,
  readSub,
  SQUATTER_PASSWORD,
} from '../support/routes/registration-apis.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  logInOnDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { activateAuthenticator, computeTotpCode, verifyAuthenticator } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  completeRegistration,
  ORIGIN,
  RP_ID,
  registerNewPasskey as registerPasskey,
  startPasskeyLogin,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

const OWNERS_PASSWORD = 'Owners-Horse4!';
/** Set together with the code. */
const CHOSEN_PASSWORD = 'Chosen-Horse5!';

/** The owner's address with the attacker's phone. */
interface Names {
  readonly email: string;
  readonly phone: string;
}

/** The attacker uses what remains. Undefined if the owner has not registered. */
type Tries = (owner?: EntryTokens) => Promise<readonly Exchange[]>;

interface Act {
  readonly name: string;
  /** A user with a second factor gets no code instead of a password, so the owner gets in by registering. */
  readonly hasSecondFactor?: true;
  leaves(service: TestService, entryPoint: RegistrationApi, names: Names): Promise<Tries>;
}

function cognitoApiLogin(service: TestService, USERNAME: string, more = {}): Promise<Exchange> {
  const AuthParameters = { USERNAME, PASSWORD: SQUATTER_PASSWORD, ...more };
  const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: service.clientId, AuthParameters };
  return service.call('InitiateAuth', input);
}

const login = (service: TestService, username: string) =>
  service.post('/login', { username, password: SQUATTER_PASSWORD });

/** Starts logins at both entry points, and returns functions that answer them. */
async function waiting(username: string, asked: readonly Promise<Exchange>[]) {
  const pending = (await Promise.all(asked)).map((answer) => toPendingChallenge(answer, username));
  const [onRoutes, onCognitoApi] = pending as [PendingChallenge, PendingChallenge];
  return (service: TestService, key: string, values: readonly [string, string]) => {
    const ChallengeResponses = { USERNAME: username, [key]: values[1] };
    const { name: ChallengeName, session: Session } = onCognitoApi;
    const input = { ClientId: service.clientId, ChallengeName, Session, ChallengeResponses };
    return Promise.all([
      service.post('/login/challenge', createAnswerBody(onRoutes, values[0])),
      service.call('RespondToAuthChallenge', input),
    ]);
  };
}

async function drawn(service: TestService, access: string): Promise<readonly string[]> {
  const answer = await service.post('/user/mfa/recovery-codes', {}, createBearerHeader(access));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.recovery_codes as readonly string[];
}

/** Starts SMS_OTP at both entry points, and returns the received codes in that order. */
async function begunBySms(service: TestService, { email, phone }: Names) {
  const { clientId: ClientId } = service;
  const AuthParameters = { USERNAME: email, PREFERRED_CHALLENGE: 'SMS_OTP' };
  const onRoutes = await service.ask('GET', '/login/passkey/challenge/sms_otp', { body: { username: email } });
  const first = findLastCode(service, phone);
  const onCognitoApi = await service.call('InitiateAuth', { AuthFlow: 'USER_AUTH', ClientId, AuthParameters });
  const answer = await waiting(email, [Promise.resolve(onRoutes), Promise.resolve(onCognitoApi)]);
  const second = findLastCode(service, phone);
  return () => answer(service, 'SMS_OTP_CODE', [first, second]);
}

const ACTS: readonly Act[] = [
  {
    name: 'draws recovery codes',
    async leaves(service, entryPoint, { email }) {
      const { access } = await registerAsAttacker(service, entryPoint, email);
      const [code = ''] = await drawn(service, access);
      return async () => [
        await login(service, email),
        await service.post('/login', { username: email, password: code }),
      ];
    },
  },
  {
    name: 'draws recovery codes, and has logins that wait for a second factor',
    hasSecondFactor: true,
    async leaves(service, entryPoint, { email }) {
      const { access } = await registerAsAttacker(service, entryPoint, email);
      const secret = await activateAuthenticator(service, access);
      assert.equal((await verifyAuthenticator(service, access, computeTotpCode(service, secret))).status, 200);
      const [first = '', second = '', third = ''] = await drawn(service, access);
      const answer = await waiting(email, [login(service, email), cognitoApiLogin(service, email)]);
      return async () => [
        ...(await answer(service, 'SOFTWARE_TOKEN_MFA_CODE', [first, second])),
        await login(service, email),
        await service.post('/login', { username: email, password: third }),
      ];
    },
  },
  {
    name: 'has a device remembered, and a login that waits for its proof',
    async leaves(service, entryPoint, { email }) {
      await registerAsAttacker(service, entryPoint, email);
      const device = await createRememberedDevice(service, email, SQUATTER_PASSWORD);
      const challenge = await startDeviceSrp(service, device, { password: SQUATTER_PASSWORD });
      return async (owner) => {
        const key = device.key;
        if (owner) assert.equal((await service.get(`/device/${key}`, createBearerHeader(owner.access))).status, 404);
        return [
          await proveDevice(service, challenge, createDeviceClaim(service, challenge)),
          await logInOnDevice(service, device, SQUATTER_PASSWORD),
          await cognitoApiLogin(service, email, { DEVICE_KEY: key }),
          await service.post('/token/refresh', { refresh_token: device.refresh, device_key: key }),
        ];
      };
    },
  },
  {
    name: 'has begun to add a passkey',
    async leaves(service, entryPoint, { email }) {
      const { access: AccessToken } = await registerAsAttacker(service, entryPoint, email);
      const authenticator = new SoftwareAuthenticator({ origin: ORIGIN });
      const onRoutes = authenticator.register(await startRegistration(service, AccessToken), {});
      const { body } = await service.call('StartWebAuthnRegistration', { AccessToken });
      const onCognitoApi = authenticator.register(body.CredentialCreationOptions as never, {});
      return async (owner) => {
        for (const credential of owner ? [onRoutes, onCognitoApi] : []) {
          const input = { AccessToken: owner?.access, Credential: credential };
          assert.equal((await service.call('CompleteWebAuthnRegistration', input)).status, 400);
          assert.equal((await completeRegistration(service, String(owner?.access), credential)).status, 400);
        }
        return [
          await completeRegistration(service, AccessToken, onRoutes),
          await service.call('CompleteWebAuthnRegistration', { AccessToken, Credential: onCognitoApi }),
        ];
      };
    },
  },
  {
    name: 'adds a passkey, and has begun to log in with it',
    async leaves(service, entryPoint, { email }) {
      const { access } = await registerAsAttacker(service, entryPoint, email);
      const authenticator = new SoftwareAuthenticator({ origin: ORIGIN });
      assert.equal((await registerPasskey(service, access, authenticator)).status, 200);
      const pending = await startPasskeyLogin(service, email);
      const passkey = authenticator.latest;
      return async () => [await answerPasskey(service, pending, authenticator.assert(pending.options, { passkey }))];
    },
  },
  {
    name: 'registers with a telephone, and has begun to log in by it',
    async leaves(service, entryPoint, names) {
      await entryPoint.register(service, names.email, SQUATTER_PASSWORD, names.phone);
      return begunBySms(service, names);
    },
  },
  {
    name: 'is confirmed with a telephone, and has begun to log in by it',
    async leaves(service, entryPoint, names) {
      await registerAsAttacker(service, entryPoint, names.email, names.phone);
      return begunBySms(service, names);
    },
  },
];

/** The user whom a response logs in. */
function subIn({ status, body }: Exchange): string | undefined {
  const result = (body.AuthenticationResult ?? {}) as Readonly<Record<string, unknown>>;
  const access = body.access_token ?? result.AccessToken;
  return status === 200 && access !== undefined ? readSub({ access: String(access), refresh: '' }) : undefined;
}

describe('factors that an attacker added before the owner came', () => {
  let service: TestService;
  let cases = 0;
  before(async () => {
    service = await startTestService({
      rpId: RP_ID,
      origins: [ORIGIN],
      firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'],
    });
  });
  after(() => service.close());

  const newNames = (): Names => {
    cases += 1;
    return { email: `case${cases}@example.com`, phone: `+1555000${String(cases).padStart(4, '0')}` };
  };

  /** Whether an account contains only what its owner added. */
  async function isBare(access: string, { email, phone }: Names) {
    const headers = createBearerHeader(access);
    assert.deepEqual((await service.get('/passkey', headers)).body.passkeys, []);
    assert.deepEqual((await service.get('/device', headers)).body.devices, []);
    assert.equal((await service.get('/user/factors', headers)).body.recovery_codes_left, 0);
    const profile = (await service.get('/user/profile', headers)).body.user as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      [profile.email_verified, profile.phone_number, profile.is_webauthn_enabled],
      [true, undefined, false],
    );
    const before = service.outbox?.list(phone).length;
    await service.ask('GET', '/login/passkey/challenge/sms_otp', { body: { username: email } });
    const AuthParameters = { USERNAME: email, PREFERRED_CHALLENGE: 'SMS_OTP' };
    await service.call('InitiateAuth', { AuthFlow: 'USER_AUTH', ClientId: service.clientId, AuthParameters });
    assert.equal(service.outbox?.list(phone).length, before, 'nothing goes to the telephone of the attacker');
  }

  for (const entryPoint of REGISTRATION_APIS) {
    for (const [index, act] of ACTS.entries()) {
      it(`at ${entryPoint.name}: an attacker ${act.name}: works until the owner comes`, async () => {
        const tries = await act.leaves(service, entryPoint, newNames());
        assert.ok((await tries()).some(({ status }) => status === 200));
      });

      for (const way of listProofsAgainst(act, index, entryPoint)) {
        it(`at ${entryPoint.name}: an attacker ${act.name}, the owner ${way.name}: no longer works`, async () => {
          const names = newNames();
          const tries = await act.leaves(service, entryPoint, names);
          const owner = await way.prove(service, entryPoint, names.email);
          assert.ok(owner, 'the owner comes in');
          const sub = readSub(owner);
          const subs = (await tries(owner)).map(subIn);
          assert.equal(subs.includes(sub), false, 'the attacker does not');
          assert.deepEqual(
            [await readProfileSub(service, owner.access), await readGetUserSub(service, owner.access)],
            [sub, sub],
          );
          await isBare(owner.access, names);
        });
      }
    }

    for (const Password of [SQUATTER_PASSWORD, undefined]) {
      const how = Password === undefined ? 'without a password' : 'with a password';
      it(`at ${entryPoint.name}: the code of an attacker's registration ${how} gives nothing without its session`, async () => {
        const names = newNames();
        const { email: Username, phone } = names;
        const UserAttributes = [{ Name: 'phone_number', Value: phone }];
        const input = { ClientId: service.clientId, Username, ...(Password && { Password }), UserAttributes };
        assert.equal((await service.call('SignUp', input)).status, 200);
        const code = findLastCode(service, Username);
        const tries = await begunBySms(service, names);
        await entryPoint.register(service, Username, OWNERS_PASSWORD);
        const confirmation = { email: Username, code };
        if (Password !== undefined) {
          assertProblem(await service.post('/register/verify', confirmation), 422, 'password_required');
        }
        const chosen = Password === undefined ? {} : { password: CHOSEN_PASSWORD };
        const { status, text } = await service.post('/register/verify', { ...confirmation, ...chosen });
        assert.equal(status, 200, text);
        for (const password of [SQUATTER_PASSWORD, OWNERS_PASSWORD]) {
          assert.equal(await entryPoint.logIn(service, Username, password), undefined);
        }
        const own = await entryPoint.logIn(service, Username, CHOSEN_PASSWORD);
        assert.equal(own !== undefined, Password !== undefined);
        assert.deepEqual((await tries()).map(subIn), [undefined, undefined]);
        const owner = await entryPoint.logInByCode(service, Username);
        assert.ok(owner);
        await isBare(owner.access, names);
      });
    }
  }
});
