import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import {
  proveDevice,
  respondToChallenge,
  sentCode,
  startChoiceLogin,
  startPasswordLogin,
} from '../testing/test-logins.ts';
import { addUser, inviteUser, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { createTestTriggers, formatTriggerArn, type TestTrigger } from '../testing/test-triggers.ts';
import { countWrites } from '../testing/write-counter.ts';

const NAMES = ['PreAuthentication', 'PostAuthentication', 'PreTokenGeneration'] as const;
const unchanged: TestTrigger = (event) => event;
const refusing: TestTrigger = () => {
  throw new Error('Not you');
};

describe('the triggers around a login', () => {
  const triggers = createTestTriggers();
  let opened: TestEnvironment;
  let pool: TestPool;
  let underWay: () => number;
  const seen = new Set<string>();
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const counting = countWrites(opened);
    underWay = counting.underWay;
    const ports = { ...counting.opened.options, triggers: triggers.invoker };
    const LambdaConfig = Object.fromEntries(NAMES.map((name) => [name, formatTriggerArn(name)]));
    pool = await openTestPoolOn({ ...counting.opened, options: ports }, { pool: { kept: { LambdaConfig } } });
  });
  after(() => pool.close());
  beforeEach(() => {
    for (const name of NAMES) triggers.functions[name] = unchanged;
    triggers.takeEvents();
  });

  const asked = (): readonly Readonly<Record<string, unknown>>[] =>
    triggers.takeEvents().map(({ triggerSource, userName, request }) => ({ triggerSource, userName, ...request }));
  const sources = () => asked().map(({ triggerSource }) => triggerSource);
  /** The events of refused and ended logins since the last call. */
  async function told() {
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.filter(({ type }) => /^login\.(failed|ended)$/.test(type));
  }
  const createAttributes = (name: string, sub: string) => ({
    sub,
    'cognito:user_status': 'CONFIRMED',
    email: name,
    email_verified: 'true',
  });

  it('receive the start, the completion, whether the device is new, and the source of the tokens', async () => {
    const name = 'ada@example.com';
    const userName = await addUser(pool, name);
    const userAttributes = createAttributes(name, userName);
    const groupConfiguration = { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null };
    requireTokens(await loginByPassword(pool, name));
    const begins = { triggerSource: 'PreAuthentication_Authentication', userName, userAttributes, validationData: {} };
    const behind = { triggerSource: 'PostAuthentication_Authentication', userName, userAttributes };
    const tokens = { triggerSource: 'TokenGeneration_Authentication', userName, userAttributes, groupConfiguration };
    assert.deepEqual(asked(), [begins, { ...behind, newDeviceUsed: true }, tokens]);
    const device = await createRememberedDevice(pool, name);
    triggers.takeEvents();
    const challenged = await startPasswordLogin(pool, name, { DEVICE_KEY: device.key });
    assert.deepEqual(asked(), [begins]);
    requireTokens(await proveDevice(pool, challenged, userName, device));
    const byDevice = { ...tokens, triggerSource: 'TokenGeneration_AuthenticateDevice' };
    assert.deepEqual(asked(), [{ ...behind, newDeviceUsed: false }, byDevice]);
  });

  it('receive the last proof of a login that started with a temporary password', async () => {
    const name = 'guest@example.com';
    await inviteUser(pool, name);
    const pending = await loginByPassword(pool, name);
    triggers.takeEvents();
    requireTokens(await respondToChallenge(pool, pending, name, { NEW_PASSWORD: 'Brand-New-Horse1!' }));
    assert.deepEqual(sources(), ['PostAuthentication_Authentication', 'TokenGeneration_NewPasswordChallenge']);
  });

  it('refuse a login before anything is proven, which is recorded before the response', async () => {
    const name = 'before@example.com';
    await addUser(pool, name);
    triggers.functions.PreAuthentication = refusing;
    await told();
    for (const begin of [loginByPassword, loginBySrp]) {
      for (const who of [name, 'nobody@example.com']) {
        const refusal = await assertRefused(begin(pool, who), 'UserLambdaValidationException');
        assert.match(refusal.message, /Not you/);
        assert.equal(underWay(), 0);
        const [event, ...more] = await told();
        assert.deepEqual(
          [event?.type, event?.clientId, event?.details, more],
          ['login.failed', pool.clientId, { challenge: 'PRE_AUTHENTICATION', reason: 'user_lambda_validation' }, []],
        );
      }
    }
    const [known, nobody] = asked();
    assert.deepEqual([known?.userNotFound, nobody?.userNotFound], [undefined, true]);
    assert.deepEqual(nobody?.userAttributes, {});
  });

  it('are called before a confirmed sign-up continues', async () => {
    const { operations, clientId: ClientId } = pool;
    const Username = 'new@example.com';
    await operations.signUp({ ClientId, Username, Password: PASSWORD }, TEST_CALL);
    const ConfirmationCode = sentCode(pool, Username);
    const { Session = '' } = await operations.confirmSignUp({ ClientId, Username, ConfirmationCode }, TEST_CALL);
    triggers.functions.PreAuthentication = refusing;
    await assertRefused(startChoiceLogin(pool, Username, {}, Session), 'UserLambdaValidationException');
    const [first] = asked();
    assert.equal((first?.userAttributes as Record<string, string> | undefined)?.email, Username);
    triggers.functions.PreAuthentication = unchanged;
    requireTokens(await startChoiceLogin(pool, Username, {}, Session));
    const [begins, ...behind] = sources();
    assert.deepEqual([begins, behind.length], ['PreAuthentication_Authentication', 2]);
  });

  it('refuse a login that is already open: it ends, and no token of it is issued', async () => {
    const name = 'behind@example.com';
    const username = await addUser(pool, name);
    for (const trigger of ['PostAuthentication', 'PreTokenGeneration'] as const) {
      for (const each of NAMES) triggers.functions[each] = each === trigger ? refusing : unchanged;
      await told();
      await assertRefused(loginByPassword(pool, name), 'UserLambdaValidationException');
      assert.equal(underWay(), 0);
      const now = pool.clock.now();
      assert.deepEqual((await pool.store.logins.listActive(pool.userPoolId, username, now, 10, undefined)).rows, []);
      const [event, ...more] = await told();
      assert.deepEqual([event?.type, event?.user?.username, more], ['login.ended', username, []]);
    }
  });

  it('are not called for tokens if an earlier function refused', async () => {
    const name = 'order@example.com';
    await addUser(pool, name);
    triggers.functions.PostAuthentication = refusing;
    assert.match(await describeOutcome(loginByPassword(pool, name)), /Not you/);
    assert.deepEqual(sources(), ['PreAuthentication_Authentication', 'PostAuthentication_Authentication']);
  });

  it('change the tokens of the login', async () => {
    const name = 'claims@example.com';
    await addUser(pool, name);
    triggers.functions.PreTokenGeneration = (event) => ({
      ...event,
      response: { claimsOverrideDetails: { claimsToAddOrOverride: { team: 'blue' } } },
    });
    assert.equal(decodeTokenPart(requireTokens(await loginByPassword(pool, name)).id, 1).team, 'blue');
  });
});
