import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDefaultPoolSettings } from '../settings/default-settings.ts';
import type {
  DeviceTracking,
  MfaConfiguration,
  MfaMethod,
  WebAuthnSettings,
} from '../store/pool-and-client-settings.ts';
import type { UserStatus } from '../store/records.ts';
import type { PoolChallengeName, ProofName } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import {
  type DeviceTrust,
  decideNextStep,
  type LoginFacts,
  NEXT_STEPS,
  type NextStep,
  type NextStepRule,
} from './next-step.ts';

const NOW_MS = 1_800_000_000_000;

type Words = 'define' | 'tokens' | PoolChallengeName | `refused: ${string}`;
type Password = 'none' | 'permanent' | 'temporary' | 'expired now' | 'expired';
type Proofs = readonly ProofName[];

const STATUSES: readonly UserStatus[] = [
  'UNCONFIRMED',
  'CONFIRMED',
  'EXTERNAL_PROVIDER',
  'FORCE_CHANGE_PASSWORD',
  'RESET_REQUIRED',
];
const PASSWORDS: Readonly<Record<Password, number | null | undefined>> = {
  none: undefined,
  permanent: null,
  temporary: NOW_MS + 1,
  'expired now': NOW_MS,
  expired: NOW_MS - 1,
};
const FIRST: Proofs = [
  'EMAIL_OTP',
  'PASSWORD',
  'PASSWORD_VERIFIER',
  'SIGN_UP',
  'SMS_OTP',
  'WEB_AUTHN',
  'WEB_AUTHN_VERIFIED',
];
const PASSKEYS: Proofs = ['WEB_AUTHN', 'WEB_AUTHN_VERIFIED'];
const SECOND: Proofs = ['EMAIL_MFA', 'EMAIL_SETUP', 'MFA_SETUP', 'SMS_MFA', 'SOFTWARE_TOKEN_MFA'];
const DEVICE: ProofName = 'DEVICE_PASSWORD_VERIFIER';

/** Every chain of proofs: with or without a first factor, a new password, a second factor and a device. */
const CHAINS: readonly Proofs[] = [[], ...FIRST.map((first): Proofs => [first])].flatMap((first) =>
  [first, [...first, 'NEW_PASSWORD_REQUIRED' as const]].flatMap((upTo) =>
    [upTo, ...SECOND.map((second): Proofs => [...upTo, second])].flatMap((proofs) => [proofs, [...proofs, DEVICE]]),
  ),
);

const TRACKING: Readonly<Record<string, DeviceTracking | null>> = {
  off: null,
  replacing: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true },
  besides: { challengeRequiredOnNewDevice: false, onlyRememberedOnUserPrompt: true },
};
const STANDINGS: readonly DeviceTrust[] = ['none', 'unknown', 'known', 'remembered'];

/** The second factors of pool and user, and the expected result. */
interface Mfa {
  readonly setting: MfaConfiguration;
  readonly offered: readonly MfaMethod[];
  readonly on: readonly MfaMethod[];
  readonly hasTotp: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly step: Words | undefined;
}

const TOTP: MfaMethod = 'SOFTWARE_TOKEN_MFA';
const NO_FACTOR = 'refused: No second factor of the user can be used.';
const none = { on: [], hasTotp: false, attributes: {} };
const MFA: Readonly<Record<string, Mfa>> = {
  off: { setting: 'OFF', offered: [TOTP], on: [TOTP], hasTotp: true, attributes: {}, step: undefined },
  'optional without a factor': { ...none, setting: 'OPTIONAL', offered: [TOTP], step: undefined },
  'optional with an authenticator': {
    setting: 'OPTIONAL',
    offered: [TOTP],
    on: [TOTP],
    hasTotp: true,
    attributes: {},
    step: TOTP,
  },
  'optional with SMS': {
    setting: 'OPTIONAL',
    offered: ['SMS_MFA'],
    on: ['SMS_MFA'],
    hasTotp: false,
    attributes: { phone_number: '+15551234567' },
    step: 'SMS_MFA',
  },
  'optional with e-mail': {
    setting: 'OPTIONAL',
    offered: ['EMAIL_OTP'],
    on: ['EMAIL_OTP'],
    hasTotp: false,
    attributes: { email: 'ada@example.com' },
    step: 'EMAIL_MFA',
  },
  'optional with two': {
    setting: 'OPTIONAL',
    offered: [TOTP, 'SMS_MFA'],
    on: [TOTP, 'SMS_MFA'],
    hasTotp: true,
    attributes: { phone_number: '+15551234567' },
    step: 'SELECT_MFA_TYPE',
  },
  'optional with a factor that was lost': {
    setting: 'OPTIONAL',
    offered: [TOTP],
    on: [TOTP],
    hasTotp: false,
    attributes: {},
    step: NO_FACTOR,
  },
  'required without a factor': { ...none, setting: 'ON', offered: [TOTP], step: 'MFA_SETUP' },
  'required, and nothing to be had': { ...none, setting: 'ON', offered: ['SMS_MFA'], step: NO_FACTOR },
};

interface Case {
  readonly enabled: boolean;
  readonly status: UserStatus;
  readonly password: Password;
  readonly proofs: Proofs;
  readonly tracking: string;
  readonly device: DeviceTrust;
  readonly isBoundToDevice: boolean;
  readonly mfa: string;
  readonly passkeys: WebAuthnSettings['factorConfiguration'];
}

const PLAIN: Case = {
  enabled: true,
  status: 'CONFIRMED',
  password: 'permanent',
  proofs: ['PASSWORD'],
  tracking: 'replacing',
  device: 'none',
  isBoundToDevice: false,
  mfa: 'off',
  passkeys: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
};

function requireMfa({ mfa }: Case): Mfa {
  const row = MFA[mfa];
  assert.ok(row);
  return row;
}

function facts(one: Case): LoginFacts {
  const { enabled, status, password, tracking } = one;
  const poolId = 'us-east-1_Pool';
  const username = 'alice';
  const { setting, offered, on, hasTotp, attributes } = requireMfa(one);
  const temporaryUntilMs = PASSWORDS[password];
  return {
    user: {
      ...{ poolId, username, sub: 'sub', status, enabled, attributes },
      ...{ mfaMethods: on, preferredMfa: null, groups: [], deletionAtMs: null, createdAtMs: 0, modifiedAtMs: 0 },
    },
    credential:
      temporaryUntilMs === undefined
        ? undefined
        : { poolId, username, saltHex: '1', verifierEncrypted: '', temporaryUntilMs, setAtMs: 0, version: null },
    settings: {
      ...createDefaultPoolSettings('https://issuer.test', setting),
      mfaMethods: offered,
      deviceTracking: TRACKING[tracking] ?? null,
      webAuthn: {
        relyingPartyId: 'localhost',
        origins: ['http://localhost'],
        userVerification: 'preferred',
        factorConfiguration: one.passkeys,
      },
    },
    proofs: one.proofs,
    device: one.device,
    isBoundToDevice: one.isBoundToDevice,
    hasActiveTotp: hasTotp,
    nowMs: NOW_MS,
  };
}

function words(step: NextStep): Words {
  if (step.kind === 'refusal') return `refused: ${step.message}`;
  return step.kind === 'challenge' ? step.name : step.kind;
}

const DISABLED = 'refused: User is disabled.';
const UNCONFIRMED = 'refused: User is not confirmed.';
const RESET = 'refused: Password reset required for the user';
const TOO_OLD = 'refused: Temporary password has expired and must be reset by an administrator.';
const NOTHING_PROVEN = 'refused: Incorrect username or password.';
const NO_DEVICE = 'refused: Device does not exist.';

/** The order that Cognito documents, written independently and from the user's point of view instead of row by row. */
function expected(one: Case): Words {
  const { proofs } = one;
  const has = (some: Proofs) => proofs.some((proof) => some.includes(proof));
  const user = expectedOfUser(one, has(['EMAIL_OTP', 'SMS_OTP']));
  if (user !== undefined) return user;
  if (!has(FIRST)) return NOTHING_PROVEN;
  if (one.device === 'unknown') return NO_DEVICE;
  const isTrusted = one.device === 'remembered' && !has(['NEW_PASSWORD_REQUIRED']);
  if (one.isBoundToDevice && !isTrusted) return NOTHING_PROVEN;
  const device: Words = has([DEVICE]) ? 'tokens' : 'DEVICE_SRP_AUTH';
  if (isTrusted && one.tracking === 'replacing') return device;
  const isBoth = has(['WEB_AUTHN_VERIFIED']) && one.passkeys === 'MULTI_FACTOR_WITH_USER_VERIFICATION';
  const missing = has(SECOND) || isBoth ? undefined : requireMfa(one).step;
  return missing ?? (isTrusted ? device : 'tokens');
}

function expectedOfUser({ enabled, status, password, proofs }: Case, hasProvenContact: boolean): Words | undefined {
  if (!enabled) return DISABLED;
  switch (status) {
    case 'UNCONFIRMED':
      return hasProvenContact ? undefined : UNCONFIRMED;
    case 'EXTERNAL_PROVIDER':
      return NOTHING_PROVEN;
    case 'RESET_REQUIRED':
      return RESET;
    case 'FORCE_CHANGE_PASSWORD':
      if (proofs.includes('NEW_PASSWORD_REQUIRED')) return undefined;
      if (proofs.some((proof) => PASSKEYS.includes(proof))) return NOTHING_PROVEN;
      return password.startsWith('expired') ? TOO_OLD : 'NEW_PASSWORD_REQUIRED';
    case 'CONFIRMED':
      return undefined;
  }
}

function* every<Key extends keyof Case>(base: Case, key: Key, values: readonly Case[Key][]): Generator<Case> {
  for (const value of values) yield { ...base, [key]: value };
}

function* everyDevice(base: Case): Generator<Case> {
  for (const tracked of every(base, 'tracking', Object.keys(TRACKING))) {
    for (const standing of every(tracked, 'device', tracked.tracking === 'off' ? ['none'] : STANDINGS)) {
      yield* every(standing, 'isBoundToDevice', tracked.tracking === 'off' ? [false] : [false, true]);
    }
  }
}

function check(cases: Iterable<Case>): number {
  let seen = 0;
  for (const one of cases) {
    assert.equal(words(decideNextStep(facts(one))), expected(one), JSON.stringify(one));
    seen++;
  }
  return seen;
}

function* everyCase(status: UserStatus): Generator<Case> {
  for (const enabled of [true, false]) {
    for (const chain of every({ ...PLAIN, status, enabled }, 'proofs', CHAINS)) {
      for (const password of every(chain, 'password', Object.keys(PASSWORDS) as Password[])) {
        for (const device of everyDevice(password)) yield* every(device, 'mfa', Object.keys(MFA));
      }
    }
  }
}

describe('the step after a proven factor', () => {
  for (const status of STATUSES) {
    it(`is the documented one for every ${status} user, password, chain of proofs, device and second factor`, () => {
      assert.equal(check(everyCase(status)), 2 * CHAINS.length * 5 * 17 * Object.keys(MFA).length);
    });
  }

  it('gives tokens only after the required first factor, second factor and device', () => {
    for (const status of STATUSES) {
      for (const one of everyCase(status)) {
        if (decideNextStep(facts(one)).kind !== 'tokens') continue;
        const has = (some: Proofs): boolean => one.proofs.some((proof) => some.includes(proof));
        const isByDevice: boolean = has([DEVICE]) && one.device === 'remembered' && one.tracking === 'replacing';
        assert.ok(one.enabled && has(FIRST), JSON.stringify(one));
        const isByPasskey: boolean = has(['WEB_AUTHN_VERIFIED']);
        assert.ok(requireMfa(one).step === undefined || has(SECOND) || isByDevice || isByPasskey, JSON.stringify(one));
        assert.ok(!one.isBoundToDevice || has([DEVICE]), JSON.stringify(one));
      }
    }
  });

  it('gives tokens only to an enabled, confirmed user, after a new password, or after a confirming code', () => {
    const given = new Set<string>();
    for (const status of STATUSES) {
      for (const one of everyCase(status)) {
        if (decideNextStep(facts(one)).kind !== 'tokens') continue;
        const [first] = one.proofs;
        const isNew = one.proofs.includes('NEW_PASSWORD_REQUIRED') ? ' new password' : '';
        given.add(`${status} ${one.enabled}${status === 'UNCONFIRMED' ? ` ${first}` : isNew}`);
      }
    }
    assert.deepEqual(
      [...given].sort(),
      [
        'CONFIRMED true',
        'CONFIRMED true new password',
        'FORCE_CHANGE_PASSWORD true new password',
        'UNCONFIRMED true EMAIL_OTP',
        'UNCONFIRMED true SMS_OTP',
      ].sort(),
    );
  });

  it('requires the second factor after a passkey without user verification, and after any if passkeys count once', () => {
    const mfas = Object.keys(MFA).filter((mfa) => MFA[mfa]?.step !== undefined);
    for (const mfa of mfas) {
      const one: Case = { ...PLAIN, mfa, proofs: ['WEB_AUTHN'] };
      assert.equal(words(decideNextStep(facts(one))), MFA[mfa]?.step, mfa);
      const verified: Case = { ...one, proofs: ['WEB_AUTHN_VERIFIED'] };
      assert.equal(words(decideNextStep(facts(verified))), 'tokens', mfa);
      assert.equal(words(decideNextStep(facts({ ...verified, passkeys: 'SINGLE_FACTOR' }))), MFA[mfa]?.step, mfa);
    }
  });

  it('requires the second factor and not the device if the named device is not remembered', () => {
    const one = { ...PLAIN, device: 'known', mfa: 'optional with an authenticator' } as const;
    assert.equal(words(decideNextStep(facts(one))), 'SOFTWARE_TOKEN_MFA');
    assert.equal(words(decideNextStep(facts({ ...one, device: 'remembered' }))), 'DEVICE_SRP_AUTH');
  });

  it('keeps the session only if the key of the device is unknown', () => {
    const kept = NEXT_STEPS.filter(({ step }) => step.kind === 'refusal' && step.keepsSession);
    assert.deepEqual(
      kept.map(({ step }) => words(step)),
      [NO_DEVICE],
    );
  });

  it('is decided by triggers in their logins, if the user may log in and until they accept it', () => {
    const custom = (one: Partial<Case>): Words =>
      words(decideNextStep({ ...facts({ ...PLAIN, ...one }), isCustom: true }));
    const TEMPORARY = { status: 'FORCE_CHANGE_PASSWORD', password: 'temporary' } as const;
    const SECOND_FACTOR = { mfa: 'optional with an authenticator' };
    for (const [one, expected] of [
      [{ proofs: [] }, 'define'],
      [{ proofs: ['PASSWORD_VERIFIER'] }, 'define'],
      [{ proofs: ['PASSWORD_VERIFIER'], ...SECOND_FACTOR }, 'define'],
      [{ proofs: ['CUSTOM_AUTH'] }, 'tokens'],
      [{ proofs: ['CUSTOM_AUTH'], ...SECOND_FACTOR }, 'SOFTWARE_TOKEN_MFA'],
      [{ proofs: [], enabled: false }, DISABLED],
      [{ proofs: ['CUSTOM_AUTH'], ...TEMPORARY }, NOTHING_PROVEN],
      [{ proofs: ['CUSTOM_AUTH', 'PASSWORD_VERIFIER'], ...TEMPORARY }, 'NEW_PASSWORD_REQUIRED'],
      [{ proofs: ['PASSWORD_VERIFIER'], ...TEMPORARY }, 'NEW_PASSWORD_REQUIRED'],
      [{ proofs: ['PASSWORD_VERIFIER', 'NEW_PASSWORD_REQUIRED'], ...TEMPORARY }, 'define'],
    ] as const satisfies readonly (readonly [Partial<Case>, Words])[]) {
      assert.equal(custom(one), expected, JSON.stringify(one));
    }
    assert.equal(words(decideNextStep({ ...facts(PLAIN), isCustom: false })), 'tokens');
  });

  it('refuses with codes and reasons that clients know, and consumes the session, except for a device key', () => {
    const refusals = NEXT_STEPS.flatMap(({ step }) => (step.kind === 'refusal' ? [step] : []));
    const told = [...refusals, decideNextStep(facts(PLAIN), [])].map((step) => {
      assert.ok(step.kind === 'refusal');
      return [step.code, step.reason, step.keepsSession];
    });
    assert.deepEqual(told, [
      ['NotAuthorizedException', 'user_disabled', false],
      ['UserNotConfirmedException', undefined, false],
      ['NotAuthorizedException', 'invalid_credentials', false],
      ['PasswordResetRequiredException', undefined, false],
      ['NotAuthorizedException', 'invalid_credentials', false],
      ['NotAuthorizedException', 'temporary_password_expired', false],
      ['NotAuthorizedException', 'invalid_credentials', false],
      ['ResourceNotFoundException', 'device_not_found', true],
      ['NotAuthorizedException', 'invalid_session', false],
      ['InvalidParameterException', undefined, false],
      ['MFAMethodNotFoundException', undefined, false],
      ['NotAuthorizedException', undefined, false],
      ['NotAuthorizedException', 'invalid_credentials', false],
    ]);
  });

  it('uses only existing challenges', () => {
    for (const { step } of NEXT_STEPS) {
      if (step.kind === 'challenge') assert.equal(POOL_CHALLENGES[step.name].name, step.name);
    }
  });

  it('is refused if no row applies', () => {
    assert.equal(words(decideNextStep(facts(PLAIN), [])), NOTHING_PROVEN);
  });

  it('can be extended by a row, without a change to the code that reads the rows', () => {
    const onlyBySrp: NextStepRule = {
      applies: ({ proofs }) => proofs.includes('PASSWORD'),
      step: { kind: 'refusal', code: 'NotAuthorizedException', message: 'Use SRP.', keepsSession: false },
    };
    const rows = NEXT_STEPS.toSpliced(-1, 0, onlyBySrp);
    assert.equal(words(decideNextStep(facts(PLAIN), rows)), 'refused: Use SRP.');
    assert.equal(words(decideNextStep(facts({ ...PLAIN, proofs: ['PASSWORD_VERIFIER'] }), rows)), 'tokens');
  });
});
