import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, computeTestTotpCode, enrolTotp, inviteUser, PASSWORD, TEST_CALL } from '@poolgate/pool/testing';
import {
  type ClientStart,
  claimMessage,
  deviceIdentity,
  formatTimestamp,
  hashPassword,
  makeDeviceVerifier,
  type SrpIdentity,
  secureRandom,
  signPasswordClaim,
  startClient,
  toBase64,
  toHex,
} from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { assertProblem } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';

type Texts = Readonly<Record<string, string>>;

/** A pending proof of a password or a device. */
interface Waiting {
  readonly start: ClientStart | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly parameters: Texts;
  readonly identity: SrpIdentity;
  readonly secret: string;
}

const ADA = 'ada@example.com';
const WRONG = 'Wrong-Horse9!';
const newStart = (): ClientStart => startClient({ engine, random: secureRandom });

describe('the routes of an SRP login', () => {
  let service: PoolService;
  before(async () => {
    const deviceTracking = { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: false };
    service = await startPoolService({ pool: { deviceTracking }, wrapRecords: countStoredStarts });
    await addUser(service, ADA);
  });
  after(() => service.close());

  /** The number of stored starts. */
  let stored = 0;
  function countStoredStarts(records: PoolService['records']): PoolService['records'] {
    const { pendingSrp } = records;
    const put: typeof pendingSrp.put = (pending) => {
      stored += 1;
      return pendingSrp.put(pending);
    };
    return { ...records, pendingSrp: { ...pendingSrp, put } };
  }

  async function countStoredBy(work: () => Promise<unknown>): Promise<number> {
    const before = stored;
    await work();
    return stored - before;
  }

  const post = (path: string, body: object, headers: Texts = {}) => service.ask('POST', path, { body, headers });
  const answer = (body: object) => post('/login/auth-challenge', body);

  function assertTokens({ status, body, text }: PoolServiceResponse, about = ''): Texts {
    assert.deepEqual([status, body.status], [200, 'success'], `${about} ${text}`);
    return body as Texts;
  }

  async function begin(
    start: ClientStart | 'of the service' = newStart(),
    more: object = {},
    password = PASSWORD,
  ): Promise<Waiting> {
    const sent = { username: ADA, ...(start === 'of the service' ? {} : { srp_a: start.srpAHex }), ...more };
    const { status, body, text } = await post('/login/srp', sent);
    assert.deepEqual([status, body.challenge_name], [200, 'PASSWORD_VERIFIER'], text);
    const parameters = body.challenge_params as Texts;
    const identity = {
      poolName: service.userPoolId.split('_')[1] ?? '',
      userIdForSrp: parameters.USER_ID_FOR_SRP ?? '',
    };
    return { start: start === 'of the service' ? undefined : start, body, parameters, identity, secret: password };
  }

  function signed({ start, parameters, identity, secret }: Waiting, nowMs = service.clock.now()): Texts {
    const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = parameters;
    const timestamp = formatTimestamp(nowMs);
    const signature = signPasswordClaim({
      engine,
      ...(start ?? assert.fail('the service signs')),
      srpBHex: SRP_B,
      saltHex: SALT,
      passwordHash: hashPassword(engine, identity, secret),
      identity,
      secretBlockB64: SECRET_BLOCK,
      timestamp,
    });
    return { PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK, TIMESTAMP: timestamp, PASSWORD_CLAIM_SIGNATURE: signature };
  }

  /** What a client sends that leaves the signature to the service. */
  const computePasswordHash = ({ identity, secret }: Waiting) => toHex(hashPassword(engine, identity, secret));
  const unsigned = (waiting: Waiting, more: object = {}) => ({
    PASSWORD_CLAIM_SECRET_BLOCK: waiting.parameters.SECRET_BLOCK,
    TIMESTAMP: new Date(service.clock.now()).toISOString(),
    PASSKEY_HASH: computePasswordHash(waiting),
    ...more,
  });
  const fiveKeys = (waiting: Waiting) => {
    const { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP } = waiting.parameters;
    return { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP, PASSKEY_HASH: computePasswordHash(waiting) };
  };
  const verifier = ({ body, parameters }: Waiting, challenge_value: unknown, more: object = {}) =>
    answer({
      challenge_name: 'PASSWORD_VERIFIER',
      session: body.session,
      username: ADA,
      challenge_value,
      challenge_params: parameters,
      ...more,
    });

  it('accept a signed proof once, as an object or text, under any name of the user', async () => {
    const waiting = await begin();
    assertTokens(await verifier(waiting, signed(waiting)));
    assertProblem(await verifier(waiting, signed(waiting)), [401, 'invalid_session'], 'again');
    const other = await begin();
    const canonical = { username: other.identity.userIdForSrp };
    assertTokens(await verifier(other, JSON.stringify(signed(other)), canonical));
    const named = await begin(newStart(), { session_token: 'mine' });
    assert.equal(named.body.session_token, 'mine');
    assertTokens(await verifier(named, signed(named), { session: 'mine' }), 'a session that the client named');
  });

  it("store a start only with a private value of the service or the client's own session", async () => {
    for (const [about, start, more, expected] of [
      ['the client’s SRP_A', newStart(), {}, 0],
      ['the same of nobody', newStart(), { username: 'nobody@example.com' }, 0],
      ['with a device that is not known', newStart(), { device_key: 'us-east-1_0a' }, 0],
      ['a session that the client named', newStart(), { session_token: 'mine' }, 1],
      ['a private value of the service', 'of the service', {}, 1],
    ] as const) {
      assert.equal(await countStoredBy(() => begin(start, more)), expected, about);
    }
  });

  it('refuse at the routes what started at the Cognito-compatible API', async () => {
    const start = newStart();
    const { ChallengeParameters: parameters = {} } = await service.operations.initiateAuth(
      {
        ClientId: service.clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: ADA, SRP_A: start.srpAHex },
      },
      TEST_CALL,
    );
    const waiting = { ...(await begin(start)), parameters };
    assertProblem(await verifier(waiting, signed(waiting)), [401, 'invalid_session']);
    assertProblem(await verifier(waiting, fiveKeys(waiting), { session: start.aHex }), [401, 'invalid_session']);
  });

  it('refuse a proof of another password, login, session or user', async () => {
    const wrong = await begin(newStart(), {}, WRONG);
    assertProblem(await verifier(wrong, signed(wrong)), [401, 'invalid_credentials']);
    const [one, other] = [await begin(), await begin()];
    assertProblem(await verifier(one, signed(one), { session: other.body.session }), [401, 'invalid_session']);
    assertProblem(await verifier(one, signed(one), { session: toBase64(new Uint8Array(32)) }), [
      401,
      'invalid_session',
    ]);
    assertProblem(await verifier(one, signed(one), { username: 'eve@example.com' }), [401, 'invalid_session']);
    const block = { ...signed(one), PASSWORD_CLAIM_SECRET_BLOCK: toBase64(new Uint8Array(64)) };
    assertProblem(await verifier(one, block), [401, 'invalid_session']);
    assertTokens(await verifier(one, signed(one)), 'what was refused before the pool was asked spends nothing');
  });

  it('refuse an invalid proof by field', async () => {
    const waiting = await begin();
    const good = signed(waiting);
    for (const [about, value] of Object.entries({
      'an empty one': {},
      'no JSON': '{',
      'another time': { ...good, TIMESTAMP: 'Mon Jan 32 00:00:00 UTC 2026' },
      'a time in another form': { ...good, TIMESTAMP: new Date(service.clock.now()).toISOString() },
      'both forms': { ...good, PASSKEY_HASH: computePasswordHash(waiting) },
      'a long signature': { ...good, PASSWORD_CLAIM_SIGNATURE: 'A'.repeat(68) },
      'a short hash': { ...unsigned(waiting), PASSKEY_HASH: 'ab' },
      'a B of zero': { ...fiveKeys(waiting), SRP_B: '0' },
      'a time that is none': { ...unsigned(waiting), TIMESTAMP: '2026-13-01T00:00:00Z' },
    })) {
      assertProblem(await verifier(waiting, value), [422, 'validation_failed'], about);
    }
    for (const srp_a of ['0', 'xyz', 'f'.repeat(771)]) {
      assertProblem(await post('/login/srp', { username: ADA, srp_a }), [422, 'validation_failed'], srp_a);
    }
    assertProblem(await answer({ challenge_name: 'NONSENSE', session: 'x', username: ADA }), [
      422,
      'validation_failed',
    ]);
  });

  it('sign for a client that cannot, with the start of the service, once', async () => {
    const made = await begin('of the service');
    assert.match(String(made.body.session), /^[A-Za-z0-9+/]{43}=$/);
    assertTokens(await verifier(made, fiveKeys(made)));
    assertProblem(await verifier(made, fiveKeys(made)), [401, 'invalid_session'], 'its private value is spent');
    const raced = await begin('of the service');
    const both = await Promise.all([verifier(raced, fiveKeys(raced)), verifier(raced, fiveKeys(raced))]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401], 'of two at a time one is signed');
    const again = await begin('of the service');
    assertTokens(await verifier(again, JSON.stringify(unsigned(again))));
    const foreign = await begin('of the service');
    const value = { ...fiveKeys(foreign), USER_ID_FOR_SRP: 'another' };
    assertProblem(await verifier(foreign, value), [401, 'invalid_session']);
    assertProblem(await verifier(foreign, { ...fiveKeys(foreign), PASSKEY_HASH: 'a'.repeat(64) }), [
      401,
      'invalid_credentials',
    ]);
  });

  it('sign for a client with the private value that it sends, if it matches', async () => {
    const waiting = await begin();
    const aHex = waiting.start?.aHex;
    const field = async (value: object) => {
      const refused = await verifier(waiting, value);
      assertProblem(refused, [422, 'validation_failed']);
      return (refused.body.errors as readonly { field: string; code: string; message: string }[]).map(
        ({ field, code, message }) => `${field} ${code}: ${message}`,
      );
    };
    assert.deepEqual(await field(unsigned(waiting)), [
      'challenge_value.PRIVATE_KEY required: is required unless the service generated SRP_A',
    ]);
    for (const PRIVATE_KEY of [newStart().aHex, '0']) {
      assert.deepEqual(await field(unsigned(waiting, { PRIVATE_KEY })), [
        'challenge_value.PRIVATE_KEY mismatch: does not match the SRP_A of this login',
      ]);
    }
    const timestamp = new Date(service.clock.now()).toISOString();
    const parts = { identity: waiting.identity, secretBlockB64: waiting.parameters.SECRET_BLOCK ?? '' };
    const message = (more: object = {}) => toBase64(claimMessage({ ...parts, timestamp, ...more }));
    const other = { MESSAGE_BASE64: message({ timestamp: 'other' }), PRIVATE_KEY: aHex };
    assert.deepEqual(await field(unsigned(waiting, other)), [
      'challenge_value.MESSAGE_BASE64 mismatch: does not match the other parts of the response',
    ]);
    assert.deepEqual(await field(unsigned(waiting, { MESSAGE_BASE64: 'AAA', PRIVATE_KEY: aHex })), [
      'challenge_value.MESSAGE_BASE64 malformed_base64: is not an allowed value',
    ]);
    assertTokens(await verifier(waiting, unsigned(waiting, { MESSAGE_BASE64: message(), PRIVATE_KEY: aHex })));
    const inSession = await begin();
    assertProblem(
      await verifier(inSession, fiveKeys(inSession), { session: newStart().aHex }),
      [401, 'invalid_session'],
      'another private value in place of the session',
    );
    assertTokens(await verifier(inSession, fiveKeys(inSession), { session: inSession.start?.aHex }));
  });

  it('sign for no client, and create no start, if that is turned off', async () => {
    const strict = await startPoolService({ settings: { srpAssisted: false } });
    await addUser(strict, ADA);
    const ask = (path: string, body: object) => strict.ask('POST', path, { body });
    assertProblem(await ask('/login/srp', { username: ADA }), [403, 'feature_disabled']);
    const begun = await ask('/login/srp', { username: ADA, srp_a: newStart().srpAHex });
    const { challenge_params, session } = begun.body;
    const parameters = challenge_params as Texts;
    const keys = { ...parameters, PASSKEY_HASH: 'a'.repeat(64) };
    const { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP, PASSKEY_HASH } = keys as Texts;
    const challenge_value = { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP, PASSKEY_HASH };
    const body = { challenge_name: 'PASSWORD_VERIFIER', session, username: ADA, challenge_value };
    assertProblem(await ask('/login/auth-challenge', body), [403, 'feature_disabled']);
    const device = {
      DEVICE_KEY: 'us-east-1_0a',
      DEVICE_GROUP_KEY: 'group',
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      TIMESTAMP: new Date(strict.clock.now()).toISOString(),
      PASSKEY_HASH,
      MESSAGE_BASE64: 'AAAA',
    };
    const ofDevice = { ...body, session: 'x', challenge_name: 'DEVICE_PASSWORD_VERIFIER', challenge_value: device };
    const unsignedByDevice = { ...ofDevice, challenge_params: { SALT, SRP_B } };
    assertProblem(await ask('/login/auth-challenge', unsignedByDevice), [403, 'feature_disabled']);
    await strict.close();
  });

  it('accept the proof of a remembered device, signed by it or by the service', async () => {
    const name = 'device@example.com';
    await addUser(service, name);
    const secret = await enrolTotp(
      service,
      assertTokens(await post('/login', { username: name, password: PASSWORD })).access_token ?? '',
    );
    service.clock.advance(30_000);
    const first = await post('/login', { username: name, password: PASSWORD });
    const totp = { challenge_name: 'SOFTWARE_TOKEN_MFA', session: first.body.session, username: name };
    const tokens = await answer({ ...totp, challenge_value: computeTestTotpCode(service, secret) });
    const { access_token = '' } = assertTokens(tokens);
    const metadata = tokens.body.new_device_metadata as Texts;
    const device = { deviceKey: metadata.device_key ?? '', deviceGroupKey: metadata.device_group_key ?? '' };
    const { devicePassword, config } = makeDeviceVerifier({ engine, device, random: secureRandom });
    const registered = await post(
      '/device',
      { device_key: device.deviceKey, device_config: JSON.stringify({ DeviceSecretVerifierConfig: config }) },
      { authorization: `Bearer ${access_token}` },
    );
    assert.equal(registered.status, 200, registered.text);
    async function challenged(start?: ClientStart): Promise<Waiting> {
      const login = { username: name, password: PASSWORD, device_key: device.deviceKey };
      const asked = await post('/login', login);
      assert.equal(asked.body.challenge_name, 'DEVICE_SRP_AUTH', asked.text);
      const { body, text } = await answer({
        challenge_name: 'DEVICE_SRP_AUTH',
        session: asked.body.session,
        username: name,
        challenge_value: { DEVICE_KEY: device.deviceKey, ...(start && { SRP_A: start.srpAHex }) },
      });
      assert.equal(body.challenge_name, 'DEVICE_PASSWORD_VERIFIER', text);
      const parameters = body.challenge_params as Texts;
      return { start, body, parameters, identity: deviceIdentity(device), secret: devicePassword };
    }
    const proof = ({ body, parameters }: Waiting, challenge_value: object, more: object = {}) =>
      answer({
        challenge_name: 'DEVICE_PASSWORD_VERIFIER',
        session: body.session,
        username: name,
        challenge_value,
        challenge_params: parameters,
        ...more,
      });
    const DEVICE_KEY = device.deviceKey;
    const OTHER_KEY = DEVICE_KEY.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    assert.equal(await countStoredBy(() => challenged(newStart())), 0, 'the device’s SRP_A');
    const own = await challenged(newStart());
    const other = await challenged(newStart());
    assertProblem(
      await proof(own, { ...signed(own), DEVICE_KEY }, { session: other.body.session }),
      [401, 'invalid_session'],
      'the session of another login',
    );
    assertProblem(
      await proof(own, { ...signed(own), DEVICE_KEY: OTHER_KEY }),
      [401, 'invalid_session'],
      'another device',
    );
    assertTokens(await proof(own, { ...signed(own), DEVICE_KEY }));
    const helped = await challenged();
    const { SECRET_BLOCK = '' } = helped.parameters;
    const timestamp = new Date(service.clock.now()).toISOString();
    const assisted = await proof(helped, {
      DEVICE_KEY,
      DEVICE_GROUP_KEY: device.deviceGroupKey,
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      TIMESTAMP: timestamp,
      PASSKEY_HASH: computePasswordHash(helped),
      MESSAGE_BASE64: toBase64(claimMessage({ identity: helped.identity, secretBlockB64: SECRET_BLOCK, timestamp })),
    });
    assertTokens(assisted);
    const wrong = { ...(await challenged(newStart())), secret: 'not the secret' };
    assertProblem(await proof(wrong, { ...signed(wrong), DEVICE_KEY }), [401, 'invalid_credentials']);
    const unknown = await post('/login', { username: name, password: PASSWORD, device_key: OTHER_KEY });
    assert.equal(unknown.body.challenge_name, 'SOFTWARE_TOKEN_MFA', 'a device that is not known is as none');
  });

  it('set a new password if required, and name its errors', async () => {
    const name = 'invited@example.com';
    await inviteUser(service, name);
    const begun = await post('/login', { username: name, password: PASSWORD });
    const body = { challenge_name: 'NEW_PASSWORD_REQUIRED', session: begun.body.session, username: name };
    const weak = await answer({ ...body, challenge_value: { NEW_PASSWORD: 'short' } });
    assertProblem(weak, [422, 'validation_failed']);
    assert.match(weak.text, /password_too_short/);
    assertTokens(await answer({ ...body, challenge_value: { NEW_PASSWORD: 'Another-Horse2!' } }));
  });

  it('list what a user can start with, and start with one of them', async () => {
    const list = await post('/login/passkey/challenge', { username: ADA });
    assert.deepEqual([list.status, list.body.ChallengeName], [200, 'SELECT_CHALLENGE'], list.text);
    const begun = await post('/login/passkey/challenge/email_otp', { username: ADA });
    assert.deepEqual([begun.status, begun.body.ChallengeName], [200, 'EMAIL_OTP'], begun.text);
    const differs = await post('/login/passkey/challenge/EMAIL_OTP', { username: ADA, challenge_name: 'WEB_AUTHN' });
    assertProblem(differs, [422, 'validation_failed']);
    assert.equal(
      (await post('/login/passkey/challenge/EMAIL_OTP', { username: ADA, challenge_name: 'email_otp' })).status,
      200,
    );
    assertProblem(await post('/login/passkey/challenge/SMS_MFA', { username: ADA }), [400, 'challenge_mismatch']);
    assertProblem(await post('/login/passkey/challenge/NONSENSE', { username: ADA }), [422, 'validation_failed']);
    // Users who have not been sent codes yet.
    let choosers = 0;
    const choose = async (challenge_value: unknown) => {
      choosers += 1;
      const username = `chooser-${choosers}@example.com`;
      await addUser(service, username);
      const { body } = await post('/login/passkey/challenge', { username });
      return answer({ challenge_name: 'SELECT_CHALLENGE', session: body.Session, username, challenge_value });
    };
    const chosen = await choose('EMAIL_OTP');
    assert.equal(chosen.body.challenge_name, 'EMAIL_OTP', chosen.text);
    assertTokens(await choose({ ANSWER: 'PASSWORD', PASSWORD }));
    const start = newStart();
    const bySrp = await choose({ ANSWER: 'PASSWORD_SRP', SRP_A: start.srpAHex });
    assert.equal(bySrp.body.challenge_name, 'PASSWORD_VERIFIER', bySrp.text);
    const parameters = bySrp.body.challenge_params as Texts;
    const identity = {
      poolName: service.userPoolId.split('_')[1] ?? '',
      userIdForSrp: parameters.USER_ID_FOR_SRP ?? '',
    };
    const waiting = { start, body: bySrp.body, parameters, identity, secret: PASSWORD };
    const username = `chooser-${choosers}@example.com`;
    assertTokens(await verifier(waiting, signed(waiting), { username }));
    assertProblem(await choose('NONSENSE'), [422, 'validation_failed']);
  });

  it('reveal for no name whether a user exists', async () => {
    const nobody = await post('/login/srp', { username: 'nobody@example.com', srp_a: newStart().srpAHex });
    assert.deepEqual([nobody.status, nobody.body.challenge_name], [200, 'PASSWORD_VERIFIER']);
    const admin = { UserPoolId: service.userPoolId, Username: 'off@example.com' };
    await addUser(service, 'off@example.com');
    await service.operations.adminDisableUser(admin, TEST_CALL);
    const disabled = await post('/login', { username: 'off@example.com', password: PASSWORD });
    const unknown = await post('/login', { username: 'nobody@example.com', password: PASSWORD });
    assert.deepEqual([disabled.status, disabled.body.code], [unknown.status, unknown.body.code]);
  });
});
