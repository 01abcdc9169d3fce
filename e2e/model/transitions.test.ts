import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import {
  createDeviceClaim,
  createRegistrationBody,
  createRememberedDevice,
  logInOnDevice,
  logInOnNewDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import {
  activateAuthenticator,
  computeTotpCode,
  createActiveAuthenticator,
  logInForAccessToken,
  verifyAuthenticator,
} from '../support/routes/route-mfa.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { type LawRowId, TRANSITIONS } from './transitions.ts';

const STEP_MS = 30_000;
let names = 0;

/** A user that no other row uses. */
async function somebody(service: TestService): Promise<string> {
  names += 1;
  const email = `row-${names}@example.com`;
  await addUser(service, email);
  return email;
}

function asks(answer: Exchange, name: string): Readonly<Record<string, string>> {
  assert.deepEqual(
    [answer.status, answer.body.status, answer.body.challenge_name],
    [200, 'challenge', name],
    answer.text,
  );
  assert.ok(answer.body.session, 'a session must come with a challenge');
  return answer.body.challenge_params as Readonly<Record<string, string>>;
}

const logIn = (service: TestService, username: string, more: Readonly<Record<string, string>> = {}) =>
  service.post('/login', { username, password: PASSWORD, ...more });

async function fetchState(service: TestService, access: string, key: string): Promise<unknown> {
  const answer = await service.get(`/device/${key}`, createBearerHeader(access));
  return answer.status === 404 ? 'removed' : (answer.body.device as { remembered: boolean }).remembered;
}

async function registered(service: TestService) {
  const device = await logInOnNewDevice(service, await somebody(service));
  const answer = await service.post('/device', createRegistrationBody(device), createBearerHeader(device.access));
  assert.equal(answer.status, 200, answer.text);
  const put = (remembered_status: boolean) =>
    service.ask('PUT', `/device/${device.key}`, {
      headers: createBearerHeader(device.access),
      body: { remembered_status },
    });
  return { device, answer, put };
}

/** Shows each row: its state, its trigger, the next state and the side effects. */
const SHOWN: Readonly<Record<LawRowId, (service: TestService) => Promise<void>>> = {
  async T01(service) {
    const { device, answer } = await registered(service);
    assert.deepEqual(answer.body.data, { UserConfirmationNecessary: true });
    assert.equal(await fetchState(service, device.access, device.key), false);
  },
  async T02(service) {
    const { device, put } = await registered(service);
    assert.equal((await put(true)).status, 200);
    assert.equal(await fetchState(service, device.access, device.key), true);
  },
  async T03(service) {
    const { device, put } = await registered(service);
    for (const from of [false, true]) {
      await put(from);
      const answer = await put(false);
      assert.deepEqual([answer.status, answer.body.data], [200, {}]);
      assert.equal(await fetchState(service, device.access, device.key), false);
    }
  },
  async T04(service) {
    const { device } = await registered(service);
    const access = await logInForAccessToken(service, device.username);
    const answer = await service.ask('DELETE', `/device/${device.key}`, { headers: createBearerHeader(access) });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await fetchState(service, access, device.key), 'removed');
  },
  async T05(service) {
    const email = await somebody(service);
    await createActiveAuthenticator(service, email);
    const parameters = asks(await logIn(service, email), 'SOFTWARE_TOKEN_MFA');
    assert.ok(parameters.FRIENDLY_DEVICE_NAME && parameters.USER_ID_FOR_SRP);
  },
  async T06(service) {
    const device = await createRememberedDevice(service, await somebody(service));
    asks(await logInOnDevice(service, device), 'DEVICE_SRP_AUTH');
  },
  async T07(service) {
    const { parameters } = await startDeviceSrp(
      service,
      await createRememberedDevice(service, await somebody(service)),
    );
    for (const name of ['SALT', 'SECRET_BLOCK', 'SRP_B']) assert.ok(parameters[name], name);
  },
  async T08(service) {
    const challenge = await startDeviceSrp(service, await createRememberedDevice(service, await somebody(service)));
    const answer = await service.post('/login/auth-challenge', {
      challenge_name: 'DEVICE_PASSWORD_VERIFIER',
      session: challenge.session,
      username: challenge.device.username,
      challenge_value: JSON.stringify(createDeviceClaim(service, challenge)),
      challenge_params: JSON.stringify(challenge.parameters),
    });
    requireTokens(answer);
  },
  async T09(service) {
    const { parameters, sessionToken } = await startSrpLogin(service, await somebody(service), {
      sessionToken: 'a-token-of-the-client',
    });
    for (const name of ['SALT', 'SECRET_BLOCK', 'SRP_B']) assert.ok(parameters[name], name);
    assert.equal(sessionToken, 'a-token-of-the-client');
  },
  async T10(service) {
    const challenge = await startSrpLogin(service, await somebody(service));
    const answer = createVerifierAnswer(challenge, createSignedClaim(service, challenge));
    requireTokens(await service.post('/login/auth-challenge', answer));
  },
  async T11(service) {
    const email = await somebody(service);
    const secretCode = await createActiveAuthenticator(service, email);
    const asked = await logIn(service, email);
    asks(asked, 'SOFTWARE_TOKEN_MFA');
    service.clock.advance(STEP_MS);
    const answer = await service.post('/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session: asked.body.session_token,
      username: email,
      challenge_value: computeTotpCode(service, secretCode),
    });
    requireTokens(answer);
  },
  async T12(service) {
    const body = { username: await somebody(service) };
    const answer = await service.ask('GET', '/login/passkey/challenge', { body });
    assert.deepEqual([answer.status, answer.body.ChallengeName], [200, 'SELECT_CHALLENGE'], answer.text);
    assert.ok(answer.body.Session);
    assert.deepEqual(answer.body.AvailableChallenges, ['EMAIL_OTP']);
  },
  async T13(service) {
    const { body } = await chosen(service, await somebody(service));
    assert.equal(body.ChallengeName, 'EMAIL_OTP');
    assert.ok(body.Session && body.ChallengeParameters);
  },
  async T14(service) {
    const email = await somebody(service);
    const { body } = await chosen(service, email);
    const answer = await service.post('/login/challenge', {
      challenge_name: body.ChallengeName,
      session: body.Session,
      username: email,
      challenge_value: service.outbox?.list(email)[0]?.code,
      challenge_params: JSON.stringify(body.ChallengeParameters),
    });
    requireTokens(answer);
  },
  async T22(service) {
    const email = await somebody(service);
    const access = await logInForAccessToken(service, email);
    const secretCode = await activateAuthenticator(service, access);
    requireTokens(await logIn(service, email));
    assert.equal((await verifyAuthenticator(service, access, computeTotpCode(service, secretCode))).status, 200);
    asks(await logIn(service, email), 'SOFTWARE_TOKEN_MFA');
  },
  async T23(service) {
    const email = await somebody(service);
    const access = await logInForAccessToken(service, email);
    await createActiveAuthenticator(service, email);
    const answer = await service.post('/user/mfa/deactivate', {}, createBearerHeader(access));
    assert.equal(answer.status, 200, answer.text);
    requireTokens(await logIn(service, email));
  },
};

function chosen(service: TestService, username: string): Promise<Exchange> {
  return service.ask('GET', '/login/passkey/challenge/email_otp', { body: { username } });
}

describe('the table of states and transitions', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const rows = TRANSITIONS.filter((row): row is Extract<typeof row, { id: LawRowId }> => row.id in SHOWN);
  for (const { id, subject, from, trigger, condition, to } of rows) {
    it(`${subject}, ${from}, ${trigger}, ${condition} → ${to}`, () => SHOWN[id](service));
  }

  it('every row about logins, devices and second factors is covered', () => {
    assert.deepEqual(rows.map(({ id }) => id).sort(), Object.keys(SHOWN).sort());
  });
});
