import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import {
  bigIntEngine,
  formatTimestamp,
  hashPassword,
  makeDeviceVerifier,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import type { LoginCandidate } from '../../identity/login-candidate.ts';
import { decodeLoginCodeState } from '../../proofs/codes/login-codes.ts';
import { createDeviceMetadata, createDeviceRecord } from '../../proofs/devices/device-registration.ts';
import { createCredentialSync, formatPasswordVersion } from '../../proofs/passwords/password-credentials.ts';
import { createTotpSecret, toActiveTotp } from '../../proofs/totp/totp.ts';
import type { PoolSettings } from '../../store/pool-and-client-settings.ts';
import type { PoolReads } from '../../store/pool-store.ts';
import type { DeviceRecord, PasskeyRecord, TotpRecord, UserRecord } from '../../store/records.ts';
import { runAwaitedTransaction } from '../../testing/awaited-write-store.ts';
import { portsWithoutStore } from '../../testing/ports-without-store.ts';
import { createRecordingTransaction } from '../../testing/recording-transaction.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { TEST_ORIGIN, WEB_AUTHN } from '../../testing/test-passkeys.ts';
import { createTestClientRecord, createTestPoolRecord } from '../../testing/test-ports.ts';
import { computeTestTotpCode } from '../../testing/test-totp.ts';
import type {
  AnswerStep,
  AnswerVerdict,
  ChallengeContent,
  ChallengeFacts,
  ParameterMap,
  ProvenUser,
  VerificationKeys,
} from './challenge.ts';
import { type ContactProofChange, recordContactProof } from './contact-events.ts';
import { createCustomAuthRequest } from './custom-challenge.ts';
import { encodeMfaSetupState } from './mfa-setup-challenge.ts';
import { POOL_CHALLENGES } from './pool-challenges.ts';

const NOW_MS = Date.UTC(2026, 4, 7, 12);
const ports = { ...portsWithoutStore(NOW_MS), senders: {}, auditDays: 90 };
const base = createTestPoolRecord();
const pool = { ...base, settings: { ...base.settings, webAuthn: WEB_AUTHN } };
const client = createTestClientRecord(pool);
const user: UserRecord = {
  poolId: pool.id,
  username: 'ada',
  sub: 'sub-ada',
  status: 'CONFIRMED',
  enabled: true,
  attributes: { email: 'ada@example.com', email_verified: 'true', phone_number: '+15551234567', locale: 'de' },
  mfaMethods: [],
  preferredMfa: null,
  groups: [],
  deletionAtMs: null,
  createdAtMs: 0,
  modifiedAtMs: 0,
};
const credential = createCredentialSync(ports, pool, 'ada', 'Correct-Horse1!');
const NOTHING: ChallengeFacts = { totp: undefined, device: undefined, passkeys: [] };

interface Change {
  readonly user?: Partial<UserRecord> | null;
  readonly settings?: Partial<PoolSettings>;
  readonly sent?: ParameterMap;
  readonly state?: Uint8Array;
  readonly store?: unknown;
  readonly keys?: VerificationKeys;
}

/** A step of Ada's login, or of an unknown user's. */
function step({
  user: changed = {},
  settings = {},
  sent = {},
  state = new Uint8Array(),
  store,
  keys = {},
}: Change = {}): AnswerStep {
  const found = changed === null ? undefined : { user: { ...user, ...changed }, credential };
  const candidate = { typedName: 'Ada', userId: 'ada', saltHex: 'ab', credential, found } as LoginCandidate;
  return {
    ports: { ...ports, store: store as never },
    pool: { ...pool, settings: { ...pool.settings, ...settings } },
    client,
    nowMs: NOW_MS,
    candidate,
    sent,
    state,
    keys,
  };
}

type Name = keyof typeof POOL_CHALLENGES;

const issue = async (name: Name, change: Change = {}, facts: Partial<ChallengeFacts> = {}): Promise<ChallengeContent> =>
  POOL_CHALLENGES[name].issue(step(change), { ...NOTHING, ...facts });
const verifyAnswer = async (name: Name, change: Change = {}): Promise<AnswerVerdict> =>
  POOL_CHALLENGES[name].verifyAnswer(step(change));

/** The content of a verdict, or the error. */
async function said(name: Name, change: Change = {}): Promise<unknown> {
  try {
    const verdict = await verifyAnswer(name, change);
    if (verdict.outcome === 'continues') return verdict.to;
    return 'error' in verdict ? [verdict.outcome, ...wordsOf(verdict.error)] : verdict.outcome;
  } catch (error) {
    return error instanceof ProviderError ? wordsOf(error) : String(error);
  }
}

const wordsOf = ({ code, message }: ProviderError) => [code, message] as const;

async function findRefusal(issued: Promise<unknown>): Promise<unknown> {
  return issued.then(
    () => 'issued',
    (error) => (error instanceof ProviderError ? wordsOf(error) : String(error)),
  );
}

/** The result of the final check of a proven answer, and its store calls. */
async function lastLook(
  verdict: AnswerVerdict,
  current: Partial<ProvenUser>,
  answers: Readonly<Record<string, unknown>> = {},
) {
  assert.ok(verdict.outcome === 'proven' && verdict.finalCheck);
  const { finalCheck } = verdict;
  const { transaction, asked } = createRecordingTransaction(answers);
  const refusal = await runAwaitedTransaction(transaction, (orderly) => finalCheck(orderly, current as ProvenUser));
  return [refusal && wordsOf(refusal), ...asked];
}

const { DeviceKey, DeviceGroupKey } = createDeviceMetadata(ports, pool, 'ada');
const { config } = makeDeviceVerifier({
  engine: bigIntEngine,
  device: { deviceKey: DeviceKey, deviceGroupKey: DeviceGroupKey },
  random: secureRandom,
});
const device = createDeviceRecord(ports, pool, 'ada', {
  key: DeviceKey,
  name: null,
  config,
  sourceAddress: '192.0.2.1',
});

const NO_DEVICE = ['ResourceNotFoundException', 'Device does not exist.'];
const WRONG_PASSWORD = ['NotAuthorizedException', 'Incorrect username or password.'];
const WRONG_TOTP = ['CodeMismatchException', 'Invalid code received for user'];
const WRONG_CODE = ['CodeMismatchException', 'Invalid code or auth state for the user.'];
const INVALID_SESSION = ['NotAuthorizedException', 'Invalid session for the user.'];

describe('a device that must prove its secret', () => {
  const holding = (found: DeviceRecord | undefined) =>
    ({ devices: { byKey: async () => found } }) as unknown as PoolReads;
  const { srpAHex: SRP_A } = startClient({ engine: bigIntEngine, random: secureRandom });

  it('is named and must exist, also when the answer arrives', async () => {
    const named = { USERNAME: 'ada', DEVICE_KEY: DeviceKey };
    const issued = await issue('DEVICE_SRP_AUTH', {}, { device });
    assert.deepEqual(issued.parameters, named);
    const { parameters, state } = await issue('DEVICE_PASSWORD_VERIFIER', { sent: { SRP_A } }, { device });
    const { SRP_B = '', ...others } = parameters;
    assert.deepEqual(others, { ...named, SALT: device.saltHex });
    assert.match(SRP_B, /^[0-9a-f]{700,}$/);
    assert.equal(Buffer.from(state.subarray(48)).toString(), DeviceKey);
    assert.equal(Buffer.from(state.subarray(16, 48)).toString(), `${device.saltHex.slice(-16)}.${NOW_MS}\0\0`);
    for (const name of ['DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER'] as const) {
      assert.deepEqual(await findRefusal(issue(name, { sent: { SRP_A } })), NO_DEVICE);
    }
    const sent = { SRP_A, DEVICE_KEY: DeviceKey };
    const answer = { sent, state: issued.state, store: holding(device) };
    assert.equal(await said('DEVICE_SRP_AUTH', answer), 'DEVICE_PASSWORD_VERIFIER');
    assert.deepEqual(await said('DEVICE_SRP_AUTH', { ...answer, store: holding(undefined) }), NO_DEVICE);
    assert.deepEqual(await said('DEVICE_SRP_AUTH', { ...answer, sent: { SRP_A, DEVICE_KEY: 'other' } }), NO_DEVICE);
    assert.deepEqual(await said('DEVICE_SRP_AUTH', { ...answer, sent: { DEVICE_KEY: DeviceKey } }), [
      'InvalidParameterException',
      'Invalid SRP_A',
    ]);
  });

  it('is challenged later by the name given earlier', async () => {
    const { state } = await issue('DEVICE_PASSWORD_VERIFIER', { sent: { SRP_A } }, { device });
    const TIMESTAMP = 'Thu May 7 12:00:00 UTC 2026';
    const answer = { sent: { TIMESTAMP, DEVICE_KEY: DeviceKey }, state, keys: { device } };
    assert.deepEqual(await said('DEVICE_PASSWORD_VERIFIER', answer), ['disproven', ...WRONG_PASSWORD]);
    for (const change of [{ keys: {} }, { sent: { TIMESTAMP, DEVICE_KEY: 'other' } }]) {
      assert.deepEqual(await said('DEVICE_PASSWORD_VERIFIER', { ...answer, ...change }), NO_DEVICE);
    }
    const late = { ...answer.sent, TIMESTAMP: 'Thu May 7 12:05:01 UTC 2026' };
    assert.deepEqual(await said('DEVICE_PASSWORD_VERIFIER', { ...answer, sent: late }), WRONG_PASSWORD);
  });
});

describe('codes that are sent with a message', () => {
  const stored = ({ state }: ChallengeContent) => decodeLoginCodeState(state).expiresAtMs - NOW_MS;

  it('have a fixed number of digits, last as long as the session, and show where they went', async () => {
    const patient = { ...client, settings: { ...client.settings, authSessionSeconds: 200 } };
    for (const [name, digits, kind, destination, more] of [
      ['EMAIL_MFA', 6, 'mfa', 'a***@e***', { USER_ID_FOR_SRP: 'ada' }],
      ['SMS_MFA', 6, 'mfa', '+*******4567', { USER_ID_FOR_SRP: 'ada' }],
      ['EMAIL_OTP', 8, 'first_factor', 'a***@e***', {}],
      ['SMS_OTP', 8, 'first_factor', '+*******4567', {}],
      ['EMAIL_SETUP', 6, 'mfa', 'n***@e***', { USER_ID_FOR_SRP: 'ada' }],
    ] as const) {
      const change = { sent: { EMAIL: 'new@example.com' } };
      const issued = await POOL_CHALLENGES[name].issue({ ...step(change), client: patient }, NOTHING);
      assert.deepEqual(issued.parameters, {
        CODE_DELIVERY_DELIVERY_MEDIUM: name.startsWith('EMAIL') ? 'EMAIL' : 'SMS',
        CODE_DELIVERY_DESTINATION: destination,
        ...more,
      });
      assert.equal(stored(issued), 200_000, name);
      assert.ok('message' in issued);
      const { code, ...message } = (issued as { readonly message: { readonly code: string } })
        .message as never as Record<string, unknown>;
      assert.match(String(code), new RegExp(`^\\d{${digits}}$`));
      assert.deepEqual([message.kind, message.username, message.locale], [kind, 'Ada', 'de']);
    }
  });

  it('are not sent as second factor to a user without a contact', async () => {
    const none = ['MFAMethodNotFoundException', 'The user has no contact for this second factor.'];
    assert.deepEqual(await findRefusal(issue('SMS_MFA', { user: { attributes: { email: 'ada@example.com' } } })), none);
    assert.deepEqual(await findRefusal(issue('EMAIL_MFA', { user: null })), none);
  });

  it('are sent as first factor only to users whom they prove', async () => {
    const isSent = async (name: 'EMAIL_OTP' | 'SMS_OTP', change: Change, facts: Partial<ChallengeFacts> = {}) => {
      const issued = await issue(name, change, facts);
      const { message } = issued as unknown as { readonly message: { readonly discard: boolean } };
      return !message.discard;
    };
    const totp = {} as TotpRecord;
    const offered = { mfaMethods: ['SOFTWARE_TOKEN_MFA'] } as const;
    assert.equal(await isSent('EMAIL_OTP', {}), true);
    assert.equal(await isSent('SMS_OTP', {}), false, 'beside an address that is proven');
    assert.equal(await isSent('EMAIL_OTP', { user: null }), false);
    assert.equal(await isSent('EMAIL_OTP', { user: { attributes: {} } }), false);
    assert.equal(await isSent('EMAIL_OTP', { user: { attributes: { email: '' } } }), false);
    assert.equal(await isSent('EMAIL_OTP', { user: { mfaMethods: ['SOFTWARE_TOKEN_MFA'] }, settings: offered }), false);
    assert.equal(await isSent('EMAIL_OTP', { user: { mfaMethods: [] }, settings: offered }, { totp }), true);
    const strict = { ...offered, mfaConfiguration: 'ON' } as const;
    assert.equal(await isSent('EMAIL_OTP', { settings: strict }, { totp }), false);
  });

  it("are refused in Cognito's words, and verify the contact that they went to", async () => {
    for (const [name, key] of [
      ['EMAIL_MFA', 'EMAIL_OTP_CODE'],
      ['SMS_MFA', 'SMS_MFA_CODE'],
      ['EMAIL_OTP', 'EMAIL_OTP_CODE'],
      ['SMS_OTP', 'SMS_OTP_CODE'],
      ['EMAIL_SETUP', 'EMAIL_OTP_CODE'],
    ] as const) {
      const attributes = { email: 'ada@example.com', phone_number: '+15551234567' };
      const issued = await issue(name, { user: { attributes }, sent: { email: 'new@example.com' } });
      const { code } = (issued as unknown as { readonly message: { readonly code: string } }).message;
      const { state } = issued;
      for (const sent of [{}, { [key]: `${code}0` }, { OTHER: code }] as ParameterMap[]) {
        assert.deepEqual(await said(name, { sent, state }), ['disproven', ...WRONG_CODE], name);
      }
      assert.equal(await said(name, { sent: { [key]: code }, state }), 'proven', name);
      if (name === 'EMAIL_SETUP') continue;
      const verdict = await verifyAnswer(name, { sent: { [key]: code }, state });
      assert.deepEqual(await lastLook(verdict, { user: { ...user, attributes } }), [undefined]);
      assert.deepEqual(await lastLook(verdict, { user: { ...user, attributes: {} } }), [WRONG_CODE]);
    }
  });

  it('can be replaced by a recovery code after a first factor, but not as one', async () => {
    const recovery = 'bcdf-ghjk-lmnp';
    for (const [name, key, wrong] of [
      ['EMAIL_MFA', 'EMAIL_OTP_CODE', WRONG_CODE],
      ['SMS_MFA', 'SMS_MFA_CODE', WRONG_CODE],
      ['SOFTWARE_TOKEN_MFA', 'SOFTWARE_TOKEN_MFA_CODE', WRONG_TOTP],
    ] as const) {
      const { state } = await issue(name);
      const verdict = await verifyAnswer(name, { sent: { [key]: recovery }, state });
      const [refusal, [statement, poolId, username] = []] = (await lastLook(verdict, { user })) as [unknown, unknown[]];
      assert.deepEqual([refusal, statement, poolId, username], [wrong, 'recoveryCodes.use', pool.id, 'ada'], name);
      const [none] = await lastLook(verdict, { user }, { 'recoveryCodes.use': true });
      assert.equal(none, undefined);
    }
    const { state } = await issue('EMAIL_OTP');
    const asFirst = { sent: { EMAIL_OTP_CODE: recovery }, state };
    assert.deepEqual(await said('EMAIL_OTP', asFirst), ['disproven', ...WRONG_CODE]);
  });
});

describe('an authenticator code', () => {
  const { secretCode, record: pending } = createTotpSecret(ports, pool, 'ada');
  const totp = toActiveTotp(pending, undefined, { step: 1, name: 'Phone' });
  const sent = { SOFTWARE_TOKEN_MFA_CODE: computeTestTotpCode({ clock: ports.clock }, secretCode) };

  it('names the authenticator in its challenge', async () => {
    const { parameters } = await issue('SOFTWARE_TOKEN_MFA', {}, { totp });
    assert.deepEqual(parameters, { USER_ID_FOR_SRP: 'ada', FRIENDLY_DEVICE_NAME: 'Phone' });
    assert.deepEqual((await issue('SOFTWARE_TOKEN_MFA')).parameters, { USER_ID_FOR_SRP: 'ada' });
  });

  it('works once, for the authenticator that verified it', async () => {
    for (const change of [
      { keys: {}, sent },
      { keys: { totp }, sent: {} },
      { keys: { totp }, sent: { SOFTWARE_TOKEN_MFA_CODE: '12345' } },
    ] as Change[]) {
      assert.deepEqual(await said('SOFTWARE_TOKEN_MFA', change), ['disproven', ...WRONG_TOTP]);
    }
    const verdict = await verifyAnswer('SOFTWARE_TOKEN_MFA', { keys: { totp }, sent });
    const lastStep = NOW_MS / 30_000;
    const used = ['authenticators.useStep', pool.id, 'ada', lastStep];
    const look = (current: TotpRecord | undefined) =>
      lastLook(verdict, { userFactors: { totp: current, device: undefined } });
    const spent = ['ExpiredCodeException', 'Your software token has already been used once.'];
    assert.deepEqual(await look(totp), [undefined, used]);
    assert.deepEqual(await look({ ...totp, lastStep }), [spent]);
    assert.deepEqual(await look(undefined), [WRONG_TOTP]);
    assert.deepEqual(await look(createTotpSecret(ports, pool, 'ada').record), [WRONG_TOTP]);
  });
});

describe('a second factor that is chosen or set up', () => {
  const methods = ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'] as const;

  it('is one that the user has', async () => {
    const settings = { mfaMethods: methods };
    const both = { user: { mfaMethods: methods }, settings };
    const { parameters, state } = await issue('SELECT_MFA_TYPE', both, { totp: {} as TotpRecord });
    assert.deepEqual(parameters, { MFAS_CAN_CHOOSE: JSON.stringify(methods), USER_ID_FOR_SRP: 'ada' });
    assert.equal(await said('SELECT_MFA_TYPE', { sent: { ANSWER: 'EMAIL_OTP' }, state }), 'EMAIL_MFA');
    assert.equal(
      await said('SELECT_MFA_TYPE', { sent: { ANSWER: 'SOFTWARE_TOKEN_MFA' }, state }),
      'SOFTWARE_TOKEN_MFA',
    );
    for (const sent of [{ ANSWER: 'SMS_MFA' }, {}] as ParameterMap[]) {
      assert.deepEqual(await said('SELECT_MFA_TYPE', { sent, state }), [
        'InvalidParameterException',
        'ChallengeName does not match the pending challenge.',
      ]);
    }
    for (const [change, facts] of [
      [both, {}],
      [{ ...both, user: null }, { totp: {} as TotpRecord }],
    ] as const) {
      assert.equal((await issue('SELECT_MFA_TYPE', change, facts)).parameters.MFAS_CAN_CHOOSE, '[]');
    }
  });

  const settings = { mfaConfiguration: 'ON', mfaMethods: methods, recovery: ['admin_only'] } as const;
  const bare = { user: { attributes: {} }, settings };

  it('is one that the pool has, and counts only after a code', async () => {
    const { parameters, state } = await issue('MFA_SETUP', bare);
    assert.deepEqual(parameters, { MFAS_CAN_SETUP: JSON.stringify(methods), USER_ID_FOR_SRP: 'ada' });
    assert.deepEqual([...state], [0]);
    assert.deepEqual(
      [[...encodeMfaSetupState({ totpProven: true })], [...encodeMfaSetupState({ totpProven: false })]],
      [[1], [0]],
    );
    for (const change of [{ ...bare, user: null }, { settings }] as Change[]) {
      assert.equal((await issue('MFA_SETUP', change)).parameters.MFAS_CAN_SETUP, '[]');
    }
    assert.deepEqual(await said('MFA_SETUP', { ...bare, state }), [
      'declined',
      'InvalidParameterException',
      'User has not set up a second factor.',
    ]);
    assert.equal(await said('MFA_SETUP', { ...bare, state: Uint8Array.of(1) }), 'proven');
    for (const state of [Uint8Array.of(2), new Uint8Array()]) {
      assert.deepEqual(((await said('MFA_SETUP', { ...bare, state })) as unknown[])[0], 'declined');
    }
  });

  it('by mail needs an address and a user who may set it up', async () => {
    const answer = (sent: ParameterMap, change: Change = bare) => said('MFA_SETUP', { ...change, sent });
    for (const key of ['EMAIL', 'email']) assert.equal(await answer({ [key]: 'new@example.com' }), 'EMAIL_SETUP');
    assert.equal(await answer({ EMAIL: 'new@example.com', email: 'no address' }), 'EMAIL_SETUP');
    const invalid = ['InvalidParameterException', 'Invalid email address format.'];
    for (const EMAIL of ['', 'no address']) assert.deepEqual(await answer({ EMAIL }), invalid);
    const refused = ['InvalidParameterException', 'Email MFA cannot be set up for the user.'];
    for (const change of [
      { ...bare, user: null },
      { ...bare, user: {} },
      { ...bare, settings: { ...settings, mfaMethods: ['SOFTWARE_TOKEN_MFA'] } },
      { ...bare, settings: { ...settings, mfaConfiguration: 'OPTIONAL' } },
    ] as Change[]) {
      assert.deepEqual(await answer({ EMAIL: 'new@example.com' }, change), refused);
    }
  });

  it('by mail counts only if the user still has none', async () => {
    const issued = await issue('EMAIL_SETUP', { ...bare, sent: { EMAIL: 'new@example.com' } });
    const { code } = (issued as unknown as { readonly message: { readonly code: string } }).message;
    const verdict = await verifyAnswer('EMAIL_SETUP', { ...bare, sent: { EMAIL_OTP_CODE: code }, state: issued.state });
    const look = async (answers: Readonly<Record<string, unknown>>) => {
      const [refusal, ...asked] = await lastLook(verdict, {}, answers);
      assert.deepEqual(asked, [
        ['locks.lock', `factors/${pool.id}/ada`, NOW_MS + 60_000],
        ['users.byUsername', pool.id, 'ada'],
        ['authenticators.byState', pool.id, 'ada', 'active'],
      ]);
      return refusal;
    };
    const now = { ...user, attributes: {} };
    assert.equal(await look({ 'users.byUsername': now }), undefined);
    assert.deepEqual(await look({}), INVALID_SESSION);
    assert.deepEqual(await look({ 'users.byUsername': { ...now, mfaMethods: methods } }), INVALID_SESSION);
    assert.deepEqual(
      await look({ 'users.byUsername': now, 'authenticators.byState': { state: 'active' } }),
      INVALID_SESSION,
    );
    assert.deepEqual(await look({ 'users.byUsername': { ...now, attributes: user.attributes } }), INVALID_SESSION);
  });
});

describe('the effect of a proven answer', () => {
  /** What an effect writes, and the user afterward. */
  async function written(verdict: AnswerVerdict, before: UserRecord, answers: Readonly<Record<string, unknown>> = {}) {
    assert.ok(verdict.outcome === 'proven' && verdict.effect);
    const { effect } = verdict;
    const { transaction, asked } = createRecordingTransaction(answers);
    const after = await runAwaitedTransaction(transaction, (orderly) => effect(orderly, { user: before, credential }));
    const statements = asked.map(([name, ...parameters]) => {
      if (!name.startsWith('events.')) return name;
      const { type, details, clientId } = parameters[0] as { type: string; details: object; clientId: string };
      return [type, details, clientId];
    });
    return { after, statements, asked };
  }

  it('turns on an authenticator, and keeps what another login has written meanwhile', async () => {
    const verdict = await verifyAnswer('MFA_SETUP', { state: Uint8Array.of(1) });
    const change = { mfaMethods: ['SOFTWARE_TOKEN_MFA'], preferredMfa: 'SOFTWARE_TOKEN_MFA', modifiedAtMs: NOW_MS };
    const told = (methods: string) => [
      'factor.preference_changed',
      { methods, preferred: 'SOFTWARE_TOKEN_MFA' },
      'client',
    ];
    const alone = await written(verdict, user);
    assert.deepEqual(alone.after, { user: { ...user, ...change }, credential });
    assert.deepEqual(alone.asked[2], ['users.update', pool.id, 'ada', change]);
    const first = ['locks.lock', 'users.byUsername', 'users.update'];
    assert.deepEqual(alone.statements, [...first, told('SOFTWARE_TOKEN_MFA')]);
    const now = { ...user, mfaMethods: ['EMAIL_OTP'], attributes: {} } as const;
    const beside = await written(verdict, user, { 'users.byUsername': now });
    assert.deepEqual(beside.after.user.mfaMethods, ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']);
    assert.deepEqual(beside.after.user.attributes, {});
    assert.deepEqual(beside.statements, [...first, told('SOFTWARE_TOKEN_MFA EMAIL_OTP')]);
  });

  /** An answer with the correct code. */
  async function proven(name: 'EMAIL_MFA' | 'EMAIL_OTP' | 'EMAIL_SETUP', key: string, change: Change = {}) {
    const issued = await issue(name, change);
    const { code } = (issued as unknown as { readonly message: { readonly code: string } }).message;
    return verifyAnswer(name, { ...change, sent: { [key]: code }, state: issued.state });
  }
  const free = { 'users.lockByName': undefined };
  const contactVerified = ['user.contact_verified', { attribute: 'email' }, 'client'];

  it('verifies an address and uses it from then on', async () => {
    const bare = { ...user, attributes: {} };
    const verdict = await proven('EMAIL_SETUP', 'EMAIL_OTP_CODE', { user: bare, sent: { email: 'new@example.com' } });
    const { after, statements } = await written(verdict, bare, free);
    const { attributes, mfaMethods, preferredMfa, modifiedAtMs } = after.user;
    assert.deepEqual(attributes, { email: 'new@example.com', email_verified: 'true' });
    assert.deepEqual([mfaMethods, preferredMfa, modifiedAtMs], [['EMAIL_OTP'], 'EMAIL_OTP', NOW_MS]);
    assert.equal(after.credential, credential);
    assert.deepEqual(statements.slice(-2), [contactVerified, ['factor.added', { factor: 'EMAIL_OTP' }, 'client']]);
  });

  it('also verifies an address that was not verified before', async () => {
    const unproven = { ...user, attributes: { email: 'ada@example.com' } };
    const verdict = await proven('EMAIL_MFA', 'EMAIL_OTP_CODE', { user: unproven });
    const { after, statements } = await written(verdict, unproven, free);
    assert.equal(after.user.attributes.email_verified, 'true');
    assert.deepEqual(statements.at(-1), contactVerified);
    const again = await written(verdict, user);
    assert.deepEqual([again.after, again.statements], [{ user, credential }, []]);
  });

  it('gives an account with nothing verified to the reader of its mail', async () => {
    const verdict = await proven('EMAIL_OTP', 'EMAIL_OTP_CODE');
    const nothing = await written(verdict, user);
    assert.deepEqual([nothing.after, nothing.statements], [{ user, credential }, []]);
    const confirmed = await written(verdict, { ...user, status: 'UNCONFIRMED' }, free);
    assert.deepEqual([confirmed.after.user.status, confirmed.after.credential], ['CONFIRMED', credential]);
    assert.deepEqual(confirmed.statements.at(-1), ['user.confirmed', {}, 'client']);
    const unproven = { ...user, status: 'UNCONFIRMED', attributes: { email: 'ada@example.com' } } as const;
    const cleared = await written(verdict, unproven, free);
    assert.deepEqual([cleared.after.user.status, cleared.after.credential], ['CONFIRMED', undefined]);
    assert.deepEqual(cleared.statements.slice(-2), [
      ['user.contact_verified', { attribute: 'email', removed: 'proofs' }, 'client'],
      ['user.confirmed', {}, 'client'],
    ]);
  });
});

describe('a new password after a temporary one', () => {
  const settings = { requiredAttributes: ['email', 'name'] };
  const given = { NEW_PASSWORD: 'Brand-New-Horse2!', 'userAttributes.name': 'Ada' };
  const invalid = (message: string) => ['InvalidParameterException', message];

  it("includes the user's missing attributes", async () => {
    const { parameters } = await issue('NEW_PASSWORD_REQUIRED', { settings });
    assert.deepEqual(parameters.requiredAttributes, '["userAttributes.name"]');
    assert.equal(parameters.USER_ID_FOR_SRP, 'ada');
    assert.deepEqual(await findRefusal(issue('NEW_PASSWORD_REQUIRED', { user: null })), INVALID_SESSION);
    const answer = (sent: ParameterMap) => said('NEW_PASSWORD_REQUIRED', { settings, sent });
    assert.equal(await answer(given), 'proven');
    const { 'userAttributes.name': _, ...without } = given;
    assert.deepEqual(await answer(without), invalid('Invalid attributes given, name is missing'));
    assert.deepEqual(
      await answer({ ...given, 'userAttributes.email': 'eve@example.com' }),
      invalid('Cannot modify an already provided email'),
    );
    assert.deepEqual(await said('NEW_PASSWORD_REQUIRED', { user: null, sent: given }), INVALID_SESSION);
  });

  it("is not the user's name, and not the temporary one if the pool forbids it", async () => {
    const answer = (NEW_PASSWORD: string, newPasswords = { refuseCommon: true, refuseTemporaryAgain: true }) =>
      said('NEW_PASSWORD_REQUIRED', { sent: { NEW_PASSWORD }, settings: { newPasswords } });
    const refused = (why: string) => ['InvalidPasswordException', `Password did not conform with policy: ${why}`];
    const own = await said('NEW_PASSWORD_REQUIRED', {
      user: { attributes: { ...user.attributes, name: 'Ada of Ockham' } },
      sent: { NEW_PASSWORD: 'Ada of Ockham1!' },
    });
    assert.deepEqual(own, refused('Password must not be a name or address of the user'));
    assert.deepEqual(await answer('short'), refused('Password not long enough'));
    const again = ['declined', ...refused('Password must differ from the temporary password')];
    assert.deepEqual(await answer('Correct-Horse1!'), again);
    assert.equal(await answer('Correct-Horse1!', { refuseCommon: true, refuseTemporaryAgain: false }), 'proven');
  });

  it('can be a verifier', async () => {
    const verifier = { PASSWORD_SALT: 'ab'.repeat(16), PASSWORD_VERIFIER: 'cd'.repeat(300) };
    assert.equal(await said('NEW_PASSWORD_REQUIRED', { sent: verifier }), 'proven');
    for (const sent of [{}, { PASSWORD_SALT: verifier.PASSWORD_SALT }, { PASSWORD_VERIFIER: 'ab' }] as ParameterMap[]) {
      assert.deepEqual(await said('NEW_PASSWORD_REQUIRED', { sent }), invalid('Invalid password verifier given.'));
    }
  });

  it('is written with its attributes, whose contacts are not verified', async () => {
    const sent = { ...given, 'userAttributes.phone_number': '+15557654321' };
    const { phone_number: _, ...attributes } = user.attributes;
    const verdict = await verifyAnswer('NEW_PASSWORD_REQUIRED', { user: { attributes }, settings, sent });
    assert.ok(verdict.outcome === 'proven' && verdict.effect);
    const { effect } = verdict;
    const { transaction, asked } = createRecordingTransaction();
    const before = { user: { ...user, attributes, status: 'FORCE_CHANGE_PASSWORD' as const }, credential };
    const after = await runAwaitedTransaction(transaction, (orderly) => effect(orderly, before));
    const change = {
      status: 'CONFIRMED',
      attributes: { ...attributes, name: 'Ada', phone_number: '+15557654321', phone_number_verified: 'false' },
      modifiedAtMs: NOW_MS,
    };
    assert.deepEqual(after.user, { ...before.user, ...change });
    assert.equal(after.credential?.temporaryUntilMs, null);
    assert.notEqual(after.credential?.version, credential.version);
    const names = asked.map(([name]) => name);
    assert.deepEqual(names.slice(0, 4), ['credentials.put', 'devices.forgetTrust', 'codes.delete', 'users.update']);
    assert.deepEqual(asked[3], ['users.update', pool.id, 'ada', change]);
    const [, event] = asked.at(-1) ?? [];
    const { type, details, clientId } = event as { type: string; details: unknown; clientId: string };
    assert.deepEqual([type, details, clientId], ['password.changed', { how: 'temporary_password' }, 'client']);
  });
});

describe('a passkey', () => {
  it('has a challenge of 32 bytes, which the session stores', async () => {
    const { parameters, state } = await issue('WEB_AUTHN');
    const { challenge } = JSON.parse(parameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
    assert.equal(state.length, 32);
    assert.equal(Buffer.from(state).toString('base64url'), challenge);
  });

  it('is used if it is still the verified one, from its counter on', async () => {
    const authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
    authenticator.register({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'c3ViLWFkYQ' } });
    const { latest } = authenticator;
    const { toCoseKey } = await import('../../testing/software-authenticator.ts');
    const { encodeCbor } = await import('../../testing/encode-cbor.ts');
    const passkey = {
      ...{ poolId: pool.id, username: 'ada', credentialId: latest.id, relyingPartyId: 'localhost', counter: 4 },
      ...{ publicKey: Buffer.from(encodeCbor(toCoseKey(latest))).toString('base64url'), isBackupEligible: false },
    } as PasskeyRecord;
    const { state } = await issue('WEB_AUTHN');
    const challenge = Buffer.from(state).toString('base64url');
    const answer = async (found: PasskeyRecord | undefined, counter = 5, change: Change = {}) => {
      const CREDENTIAL = JSON.stringify(
        authenticator.assert({ challenge, rpId: 'localhost' }, { passkey: latest, counter }),
      );
      return { sent: { CREDENTIAL }, state, keys: { passkey: found }, ...change };
    };
    const verdict = await verifyAnswer('WEB_AUTHN', await answer(passkey));
    assert.equal(verdict.outcome === 'proven' && verdict.proof, 'WEB_AUTHN_VERIFIED');
    const { username, publicKey } = passkey;
    const use = { username, publicKey, fromCounter: 4, counter: 5, isBackedUp: false, lastUsedAtMs: NOW_MS };
    const used = ['passkeys.use', pool.id, latest.id, use];
    const look = (now: PasskeyRecord | undefined) => lastLook(verdict, { keys: { passkey: now } });
    assert.deepEqual(await look(passkey), [undefined, used]);
    const changes = [{ username: 'bob' }, { publicKey: 'other' }, { counter: 5 }];
    for (const now of [undefined, ...changes.map((change) => ({ ...passkey, ...change }))]) {
      assert.deepEqual(await look(now), [WRONG_PASSWORD]);
    }
    const { transaction, asked } = createRecordingTransaction({ 'passkeys.byCredentialId': passkey });
    assert.ok(verdict.outcome === 'proven' && verdict.rereadKeys);
    assert.deepEqual(await verdict.rereadKeys(transaction), { passkey });
    assert.deepEqual(asked, [['passkeys.byCredentialId', pool.id, latest.id]]);
    const wrong = ['disproven', ...WRONG_PASSWORD];
    for (const change of [
      await answer(undefined),
      await answer({ ...passkey, username: 'bob' }),
      await answer({ ...passkey, relyingPartyId: 'example.com' }),
      await answer(passkey, 5, { user: null }),
      await answer(passkey, 5, { state: new Uint8Array(32) }),
    ]) {
      assert.deepEqual(await said('WEB_AUTHN', change), wrong);
    }
    const copied = await verifyAnswer('WEB_AUTHN', await answer(passkey, 4));
    assert.equal(copied.outcome === 'disproven' && copied.eventType, 'factor.maybe_copied');
    const malformed = ['InvalidParameterException', 'The credential is not JSON.'];
    assert.deepEqual(await said('WEB_AUTHN', { state }), malformed);
  });
});

it('records what a code verified of a contact only if it changed the user', async () => {
  const events = async (after: Partial<UserRecord>, areOtherProofsRemoved = false) => {
    const { transaction, asked } = createRecordingTransaction();
    const change: ContactProofChange = {
      before: user,
      after: { ...user, ...after },
      attribute: 'email',
      areOtherProofsRemoved,
    };
    await runAwaitedTransaction(transaction, (orderly) => recordContactProof(step(), orderly, change));
    return asked.map(([, event]) => {
      const { type, details, clientId } = event as { type: string; details: object; clientId: string };
      assert.equal(clientId, 'client');
      return [type, details];
    });
  };
  const unproven = { attributes: { ...user.attributes, email_verified: 'false' } };
  assert.deepEqual(await events({}), []);
  assert.deepEqual(await events(unproven), [['user.contact_verified', { attribute: 'email' }]]);
  assert.deepEqual(await events(unproven, true), [
    ['user.contact_verified', { attribute: 'email', removed: 'proofs' }],
  ]);
  assert.deepEqual(await events({ status: 'UNCONFIRMED' }), [['user.confirmed', {}]]);
});

it('triggers receive a user, or that the name is unknown', () => {
  const clientMetadata = { from: 'test' };
  const asked = { ...step(), clientMetadata };
  const { attributes } = user;
  assert.deepEqual(createCustomAuthRequest(asked), {
    userAttributes: { sub: 'sub-ada', 'cognito:user_status': 'CONFIRMED', ...attributes },
    clientMetadata,
    userNotFound: undefined,
  });
  assert.deepEqual(createCustomAuthRequest(step({ user: null })), {
    userAttributes: {},
    clientMetadata: undefined,
    userNotFound: true,
  });
  assert.throws(() => POOL_CHALLENGES.CUSTOM_CHALLENGE.verifyAnswer(step()), TypeError);
});

describe('passwords', () => {
  it('by SRP return salt and number, and report if an older system cannot be asked', async () => {
    const { srpAHex: SRP_A, ...secret } = startClient({ engine: bigIntEngine, random: secureRandom });
    const hints: string[] = [];
    const asked = async (settings: Partial<PoolSettings> = {}) => {
      const begun = step({ sent: { SRP_A }, settings });
      const hinting = { ...begun.ports, hint: (hint: string) => void hints.push(hint) };
      return POOL_CHALLENGES.PASSWORD_VERIFIER.issue({ ...begun, ports: hinting }, NOTHING);
    };
    const { parameters, state } = await asked();
    const { SRP_B: srpBHex = '', ...others } = parameters;
    assert.deepEqual(others, { SALT: 'ab', USERNAME: 'ada', USER_ID_FOR_SRP: 'ada' });
    assert.equal(Buffer.from(state.subarray(16)).toString().replace(/\0+$/, ''), formatPasswordVersion(credential));
    assert.deepEqual(hints, []);
    await asked({ kept: { LambdaConfig: { UserMigration: 'arn:aws:lambda:us-east-1:000000000000:function:one' } } });
    assert.deepEqual(hints, ['srp_without_migration']);
    const identity = { poolName: 'Test00001', userIdForSrp: 'ada' };
    const claim = { engine: bigIntEngine, srpAHex: SRP_A, ...secret, srpBHex, saltHex: credential.saltHex, identity };
    const [secretBlockB64, timestamp] = [Buffer.from('block').toString('base64'), formatTimestamp(NOW_MS)];
    const answer = (password: string) => ({
      PASSWORD_CLAIM_SECRET_BLOCK: secretBlockB64,
      TIMESTAMP: timestamp,
      PASSWORD_CLAIM_SIGNATURE: signPasswordClaim({
        ...{ ...claim, secretBlockB64, timestamp },
        passwordHash: hashPassword(bigIntEngine, identity, password),
      }),
    });
    const right = { sent: answer('Correct-Horse1!'), state };
    const wrong = ['disproven', ...WRONG_PASSWORD];
    assert.equal(await said('PASSWORD_VERIFIER', right), 'proven');
    assert.deepEqual(await said('PASSWORD_VERIFIER', { ...right, user: null }), wrong, 'a decoy proves nothing');
    assert.deepEqual(await said('PASSWORD_VERIFIER', { sent: answer('wrong'), state }), wrong);
    const late = { ...right, sent: { ...right.sent, TIMESTAMP: formatTimestamp(NOW_MS - 301_000) } };
    assert.deepEqual(await said('PASSWORD_VERIFIER', late), WRONG_PASSWORD);
  });

  it('are right only for a user who has one', async () => {
    const wrong = ['disproven', ...WRONG_PASSWORD];
    const PASSWORD = 'Correct-Horse1!';
    assert.equal(await said('PASSWORD', { sent: { PASSWORD } }), 'proven');
    assert.deepEqual(await said('PASSWORD', { sent: { PASSWORD: 'wrong' } }), wrong);
    assert.deepEqual(await said('PASSWORD', {}), wrong);
    assert.deepEqual(await said('PASSWORD', { user: null, sent: { PASSWORD } }), wrong, 'a decoy proves nothing');
    assert.deepEqual(await said('PASSWORD_SRP', { sent: {} }), ['InvalidParameterException', 'Invalid SRP_A']);
    assert.equal(await said('PASSWORD_SRP', { sent: { SRP_A: '1234' } }), 'PASSWORD_VERIFIER');
    assert.equal(await said('SELECT_CHALLENGE', { sent: { ANSWER: 'PASSWORD' } }), 'PASSWORD');
    assert.equal(((await said('SELECT_CHALLENGE')) as unknown[])[0], 'InvalidParameterException');
  });
});
