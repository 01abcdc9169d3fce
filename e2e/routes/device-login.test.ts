import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatTimestamp, secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { SPENT_PROOF_CODE } from '../support/provider/tested-provider.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  createDeviceClaim,
  createHelperClaim,
  createRegistrationBody,
  createRememberedDevice,
  logInOnDevice,
  logInOnNewDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.test';

describe('login with a device', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await addUser(service, ADA);
  });
  after(() => service.close());

  const iso = (): string => new Date(service.clock.now()).toISOString();
  const cognitoTime = (): string => formatTimestamp(service.clock.now());

  it('/login with a valid key asks for DEVICE_SRP_AUTH, and a valid proof gives tokens on every path', async () => {
    const device = await createRememberedDevice(service, ADA);
    for (const path of ['/login/auth-challenge', '/challenge', '/api/cognito/login/challenge']) {
      const challenge = await startDeviceSrp(service, device);
      const answer = await service.post(path, {
        challenge_name: 'device_password_verifier',
        session: challenge.session,
        username: ADA,
        challenge_value: createDeviceClaim(service, challenge),
      });
      requireTokens(answer);
      assert.equal(answer.body.new_device_metadata, undefined);
    }
  });

  it('the service signs with the four helper keys, and accepts ISO and Cognito timestamps', async () => {
    const device = await createRememberedDevice(service, ADA);
    for (const timestamp of [iso(), cognitoTime()]) {
      const challenge = await startDeviceSrp(service, device);
      requireTokens(await proveDevice(service, challenge, createHelperClaim(challenge, timestamp)));
    }
  });

  it('a signed claim keeps its timestamp: ISO is 422, and the session stays valid', async () => {
    const challenge = await startDeviceSrp(service, await createRememberedDevice(service, ADA));
    const claim = createDeviceClaim(service, challenge);
    assertInvalidField(
      await proveDevice(service, challenge, { ...claim, TIMESTAMP: iso() }),
      'challenge_value.TIMESTAMP',
    );
    requireTokens(await proveDevice(service, challenge, claim));
  });

  it('returns 422 for both a signature and helper keys, and for neither', async () => {
    const challenge = await startDeviceSrp(service, await createRememberedDevice(service, ADA));
    const [signed, helped] = [createDeviceClaim(service, challenge), createHelperClaim(challenge, iso())];
    const { PASSWORD_CLAIM_SIGNATURE: _, ...neither } = signed;
    const bad = [{ ...helped, ...signed }, neither];
    for (const value of bad) {
      assertInvalidField(
        await proveDevice(service, challenge, value),
        /^challenge_value/,
        JSON.stringify(value).slice(0, 99),
      );
    }
    assertInvalidField(
      await proveDevice(service, challenge, helped, { challenge_params: undefined }),
      'challenge_params',
    );
    requireTokens(await proveDevice(service, challenge, helped));
  });

  it('without SRP_A the service creates it once, and the answer needs no private value', async () => {
    const challenge = await startDeviceSrp(service, await createRememberedDevice(service, ADA), { serverMade: true });
    const value = createHelperClaim(challenge, iso());
    assert.equal(value.PRIVATE_KEY, undefined);
    requireTokens(await proveDevice(service, challenge, value));
    assertProblem(await proveDevice(service, challenge, value), 401, 'invalid_session');
  });

  it('a private value of the service expires after a minute', async () => {
    const challenge = await startDeviceSrp(service, await createRememberedDevice(service, ADA), { serverMade: true });
    service.clock.advance(61_000);
    assertProblem(await proveDevice(service, challenge, createHelperClaim(challenge, iso())), 401, 'invalid_session');
  });

  it('returns 422 if the private value does not match the SRP_A, or the message has other parts', async () => {
    const device = await createRememberedDevice(service, ADA);
    const challenge = await startDeviceSrp(service, device);
    const value = createHelperClaim(challenge, iso());
    const { aHex } = startClient({ engine, random: secureRandom });
    for (const PRIVATE_KEY of [aHex, '0', '1']) {
      const answer = await proveDevice(service, challenge, { ...value, PRIVATE_KEY });
      assertInvalidField(answer, 'challenge_value.PRIVATE_KEY');
    }
    for (const part of [{ MESSAGE_BASE64: 'AAAA' }, { DEVICE_GROUP_KEY: '-aaaaaaaa' }, { TIMESTAMP: cognitoTime() }]) {
      const answer = await proveDevice(service, challenge, { ...value, ...part });
      assertInvalidField(answer, 'challenge_value.MESSAGE_BASE64', JSON.stringify(part));
    }
    requireTokens(await proveDevice(service, challenge, value));
  });

  it('returns 401 for a wrong proof and ends the login, in both forms', async () => {
    const device = await createRememberedDevice(service, ADA);
    const otherDevice = { ...device, secret: (await logInOnNewDevice(service, ADA)).secret };
    for (const claim of ['signed', 'helped'] as const) {
      const challenge = await startDeviceSrp(service, device);
      const wrong = { ...challenge, device: otherDevice };
      const value = claim === 'signed' ? createDeviceClaim(service, wrong) : createHelperClaim(wrong, iso());
      assertProblem(await proveDevice(service, challenge, value), 401, 'invalid_credentials');
      const right = createDeviceClaim(service, challenge);
      assertProblem(await proveDevice(service, challenge, right), 401, SPENT_PROOF_CODE);
    }
  });

  it('accepts a proof once, and only in its own session', async () => {
    const device = await createRememberedDevice(service, ADA);
    const [one, other] = [await startDeviceSrp(service, device), await startDeviceSrp(service, device)];
    const value = createDeviceClaim(service, one);
    assertProblem(await proveDevice(service, { ...one, session: other.session }, value), 401, 'invalid_session');
    const helped = createHelperClaim(one, iso());
    assertProblem(await proveDevice(service, { ...one, session: other.session }, helped), 401, 'invalid_session');
    requireTokens(await proveDevice(service, one, value));
    assertProblem(await proveDevice(service, one, value), 401, SPENT_PROOF_CODE);
  });

  it('IDP_SRP_ASSISTED=false refuses the helper keys and a missing SRP_A, but not a signature', async (t) => {
    const strict = await startTestService({ srpAssisted: false });
    t.after(() => strict.close());
    await addUser(strict, ADA);
    const device = await createRememberedDevice(strict, ADA);
    const challenge = await startDeviceSrp(strict, device);
    assertProblem(await proveDevice(strict, challenge, createHelperClaim(challenge, iso())), 403, 'feature_disabled');
    requireTokens(await proveDevice(strict, challenge, createDeviceClaim(strict, challenge)));
    const asked = await logInOnDevice(strict, device);
    const answer = await strict.post('/login/auth-challenge', {
      challenge_name: 'DEVICE_SRP_AUTH',
      session: asked.body.session,
      username: ADA,
      challenge_value: { DEVICE_KEY: device.key },
    });
    assertProblem(answer, 403, 'feature_disabled');
  });

  it('DEVICE_SRP_AUTH accepts { DEVICE_KEY, SRP_A? } and nothing else', async () => {
    const device = await createRememberedDevice(service, ADA);
    const { body } = await logInOnDevice(service, device);
    const answer = (challenge_value: unknown) =>
      service.post('/challenge', {
        challenge_name: 'DEVICE_SRP_AUTH',
        session: body.session,
        username: ADA,
        challenge_value,
      });
    const { srpAHex } = startClient({ engine, random: secureRandom });
    for (const bad of [
      { SRP_A: srpAHex },
      { DEVICE_KEY: device.key, SRP_A: '0' },
      { DEVICE_KEY: device.key, SRP_A: srpAHex, MORE: 'x' },
    ]) {
      assertInvalidField(await answer(bad), /^challenge_value/, JSON.stringify(bad));
    }
    const elsewhere = { DEVICE_KEY: (await createRememberedDevice(service, ADA)).key, SRP_A: srpAHex };
    assertProblem(await answer(elsewhere), 401, 'invalid_credentials');
  });

  it('a key that is unknown, forgotten, not remembered or of another user leads to the normal login', async () => {
    await addUser(service, 'eve@example.test');
    const eve = await createRememberedDevice(service, 'eve@example.test');
    const forgotten = await createRememberedDevice(service, ADA);
    await service.ask('DELETE', `/device/${forgotten.key}`, { headers: createBearerHeader(forgotten.access) });
    const known = await logInOnNewDevice(service, ADA);
    await service.post('/device', createRegistrationBody(known), createBearerHeader(known.access));
    for (const key of [eve.key, 'us-east-1_0a', forgotten.key, known.key]) {
      requireTokens(await logInOnDevice(service, { ...known, key }));
    }
  });

  it('a device skips MFA only with its proof; its key alone gives no tokens', async () => {
    await addUser(service, 'mfa@example.test');
    const secretCode = await createActiveAuthenticator(service, 'mfa@example.test');
    service.clock.advance(30_000);
    const login = { username: 'mfa@example.test', password: PASSWORD };
    const asked = await service.post('/login', login);
    const proven = await service.post('/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session: asked.body.session,
      username: login.username,
      challenge_value: computeTotpCode(service, secretCode),
    });
    const { access } = requireTokens(proven);
    const { device_key } = proven.body.new_device_metadata as { device_key: string };
    const challenge = async (key: string) => (await service.post('/login', { ...login, device_key: key })).body;
    assert.equal((await challenge(device_key)).challenge_name, 'SOFTWARE_TOKEN_MFA');
    assert.equal((await challenge('us-east-1_0a')).challenge_name, 'SOFTWARE_TOKEN_MFA');
    assert.ok(access);
  });

  it('a device replaces the MFA code at /login, at /login/srp and after the password verifier', async () => {
    await addUser(service, 'two@example.test');
    const device = await createRememberedDevice(service, 'two@example.test');
    await createActiveAuthenticator(service, 'two@example.test');
    requireTokens(await prove(await startDeviceSrp(service, device)));

    const early = await service.post('/login/srp', { username: device.username, device_key: device.key });
    assert.equal(early.body.challenge_name, 'PASSWORD_VERIFIER', early.text);
    const late = await startSrpLogin(service, device.username);
    const claim = { ...createSignedClaim(service, late), DEVICE_KEY: device.key };
    const answer = await service.post('/login/auth-challenge', createVerifierAnswer(late, claim));
    assert.equal(answer.body.challenge_name, 'DEVICE_SRP_AUTH', answer.text);
    const without = await startSrpLogin(service, device.username);
    const asked = await service.post(
      '/login/auth-challenge',
      createVerifierAnswer(without, createSignedClaim(service, without)),
    );
    assert.equal(asked.body.challenge_name, 'SOFTWARE_TOKEN_MFA', asked.text);

    async function prove(challenge: Awaited<ReturnType<typeof startDeviceSrp>>) {
      return proveDevice(service, challenge, createDeviceClaim(service, challenge));
    }
  });

  it('a device is no longer trusted after a second factor or the password has changed', async () => {
    await addUser(service, 'less@example.test');
    const device = await createRememberedDevice(service, 'less@example.test');
    await createActiveAuthenticator(service, 'less@example.test');
    assert.equal((await logInOnDevice(service, device)).body.challenge_name, 'DEVICE_SRP_AUTH');
    const off = await service.post('/user/mfa/deactivate', {}, createBearerHeader(device.access));
    assert.equal(off.status, 200, off.text);
    requireTokens(await logInOnDevice(service, device));
    const shown = await service.get(`/device/${device.key}`, createBearerHeader(device.access));
    assert.equal((shown.body.device as { remembered: boolean }).remembered, false);
  });
});
