import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext, Input } from '@poolgate/provider';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, loginInProcess } from '../testing/test-srp-logins.ts';

const NAME = 'Ada@example.com';
const CARRYING: CallContext = { ...TEST_CALL, carriesSrpStart: true };

describe('the content of a secret block', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    await addUser(pool, NAME);
  });
  after(() => opened.close());

  async function begin(call: CallContext, username = NAME, ClientId = pool.clientId) {
    const start = startClient({ engine: openSslEngine, random: secureRandom });
    const AuthParameters = { USERNAME: username, SRP_A: start.srpAHex };
    const output = await pool.operations.initiateAuth({ ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters }, call);
    return { start, output, parameters: output.ChallengeParameters ?? {} };
  }

  const read = (SecretBlock: string, more: { readonly ClientId?: string; readonly Session?: string } = {}) =>
    pool.embedded.readSecretBlock({ ClientId: pool.clientId, SecretBlock, ...more });

  it('is the typed name, the username and the end of SRP_A, for existing and unknown users', async () => {
    for (const username of [NAME, 'Nobody@example.com']) {
      const { start, parameters, output } = await begin(CARRYING, username);
      assert.equal(output.Session, undefined);
      assert.deepEqual(await read(parameters.SECRET_BLOCK ?? ''), {
        ChallengeName: 'PASSWORD_VERIFIER',
        Username: username,
        UserIdForSrp: parameters.USER_ID_FOR_SRP,
        SrpAEnd: start.srpAHex.slice(-32),
      });
    }
  });

  it('is empty if the call did not request it, and the block is shorter', async () => {
    const [plain, carrying] = [await begin(TEST_CALL), await begin(CARRYING)];
    assert.equal(await read(plain.parameters.SECRET_BLOCK ?? ''), undefined);
    const length = (parameters: Readonly<Record<string, string>>) => parameters.SECRET_BLOCK?.length ?? 0;
    assert.ok(length(plain.parameters) < length(carrying.parameters));
  });

  it('is empty for another client, another spelling or another text', async () => {
    const { parameters } = await begin(CARRYING);
    const block = parameters.SECRET_BLOCK ?? '';
    const { UserPoolClient } = await pool.operations.createUserPoolClient(
      { UserPoolId: pool.userPoolId, ClientName: 'other', ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'] },
      TEST_CALL,
    );
    const ClientId = UserPoolClient?.ClientId ?? assert.fail();
    assert.equal(await read(block, { ClientId }), undefined);
    const ofOther = await begin(CARRYING, NAME, ClientId);
    assert.equal(await read(ofOther.parameters.SECRET_BLOCK ?? ''), undefined);
    const altered = Buffer.from(block, 'base64');
    altered[altered.length - 9] = (altered.at(-9) ?? 0) ^ 1;
    for (const text of ['', 'AAAA', `${block}\n`, altered.toString('base64')]) {
      assert.equal(await read(text), undefined, text);
    }
  });

  it('can be answered once, as any other', async () => {
    const { start, parameters, output } = await begin(CARRYING);
    const answer = () =>
      pool.operations.respondToAuthChallenge(computeSrpAnswer(pool, { start, parameters, output }), TEST_CALL);
    assert.equal(await describeOutcome(answer()), 'tokens');
    assert.equal(await describeOutcome(answer()), 'Incorrect username or password.');
  });

  it('of a device names the device, and needs the Session sent with it', async () => {
    const device = await createRememberedDevice(pool, NAME);
    async function beginForDevice() {
      const asked = await loginInProcess(pool, NAME, undefined, { DeviceKey: device.key });
      const start = startClient({ engine: openSslEngine, random: secureRandom });
      const output = await pool.operations.respondToAuthChallenge(
        {
          ClientId: pool.clientId,
          ChallengeName: 'DEVICE_SRP_AUTH',
          Session: asked.Session ?? '',
          ChallengeResponses: { USERNAME: NAME, DEVICE_KEY: device.key, SRP_A: start.srpAHex },
        } satisfies Input<'RespondToAuthChallenge'>,
        CARRYING,
      );
      return { start, block: output.ChallengeParameters?.SECRET_BLOCK ?? '', Session: output.Session ?? '' };
    }
    const [one, other] = [await beginForDevice(), await beginForDevice()];
    assert.deepEqual(await read(one.block, { Session: one.Session }), {
      ChallengeName: 'DEVICE_PASSWORD_VERIFIER',
      Username: NAME,
      UserIdForSrp: device.key,
      SrpAEnd: one.start.srpAHex.slice(-32),
    });
    const ofBlock = Buffer.from(one.block, 'base64').toString();
    for (const Session of [other.Session, ofBlock, 'another', ''])
      assert.equal(await read(one.block, { Session }), undefined);
    // A Session contains no key, so it must not be accepted as a block either.
    assert.equal(await read(Buffer.from(one.Session).toString('base64')), undefined);
  });
});
