import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import type {
  MfaConfiguration,
  MfaMethod,
  PoolSettings,
  RecoveryMechanism,
} from '../store/pool-and-client-settings.ts';
import { createDefaultPoolSettings } from './default-settings.ts';
import {
  changeMfaPreference,
  checkRequestedMfaFactors,
  determineSecondFactors,
  enableMfaMethod,
  findMfaDestination,
  findRecoveryMfaMethod,
  isMfaContact,
  type MfaPreference,
  type MfaUser,
  type RequestedMfaFactors,
  type SecondFactorRequirement,
  toCognitoMfaFields,
} from './second-factors.ts';

const TOTP = 'SOFTWARE_TOKEN_MFA';
const MAIL = 'EMAIL_OTP';
const SMS = 'SMS_MFA';
const BOTH = { email: 'ada@example.com', phone_number: '+15551234567' };
const { email, phone_number } = BOTH;

function createSettings(
  mfaConfiguration: MfaConfiguration,
  mfaMethods: readonly MfaMethod[],
  recovery: RecoveryMechanism = 'admin_only',
): PoolSettings {
  return { ...createDefaultPoolSettings('https://issuer.example', mfaConfiguration), mfaMethods, recovery: [recovery] };
}

function createUser(
  attributes: MfaUser['attributes'],
  mfaMethods: readonly MfaMethod[] = [],
  preferredMfa: MfaMethod | null = null,
): MfaUser {
  return { attributes, mfaMethods, preferredMfa };
}

function words(factors: SecondFactorRequirement): string {
  if (factors.kind === 'one') return factors.method;
  return 'methods' in factors ? `${factors.kind} ${factors.methods.join(', ')}` : factors.kind;
}

type Case = readonly [
  description: string,
  settings: PoolSettings,
  user: MfaUser,
  hasActiveTotp: boolean,
  expected: string,
];

const ALL: readonly MfaMethod[] = [TOTP, MAIL, SMS];

/** The cases of Cognito's MFA step, and this pool's decisions where Cognito's guide does not specify any. */
const CASES: readonly Case[] = [
  ['off asks nobody', createSettings('OFF', ALL), createUser(BOTH, ALL, TOTP), true, 'none'],
  ['optional, nothing switched on', createSettings('OPTIONAL', ALL), createUser(BOTH), true, 'none'],
  ['optional, the single factor', createSettings('OPTIONAL', ALL), createUser(BOTH, [TOTP]), true, TOTP],
  ['optional, mail switched on', createSettings('OPTIONAL', ALL), createUser(BOTH, [MAIL]), false, MAIL],
  ['optional, the preferred factor', createSettings('OPTIONAL', ALL), createUser(BOTH, ALL, SMS), true, SMS],
  ['optional, several', createSettings('OPTIONAL', ALL), createUser(BOTH, [SMS, TOTP]), true, `choose ${TOTP}, ${SMS}`],
  [
    'optional, switched on beats recovery',
    createSettings('OPTIONAL', ALL, 'verified_email'),
    createUser(BOTH, [MAIL]),
    false,
    MAIL,
  ],
  [
    'optional, the preferred one is gone',
    createSettings('OPTIONAL', ALL),
    createUser({ email }, [SMS, MAIL], SMS),
    false,
    MAIL,
  ],
  ['optional, all are gone', createSettings('OPTIONAL', ALL), createUser({}, [SMS, MAIL], SMS), false, 'impossible'],
  [
    'optional, no longer offered',
    createSettings('OPTIONAL', [MAIL]),
    createUser(BOTH, [TOTP], TOTP),
    true,
    'impossible',
  ],
  ['on, the preferred factor', createSettings('ON', ALL), createUser(BOTH, [TOTP, MAIL], MAIL), true, MAIL],
  ['on, authenticator alone', createSettings('ON', [TOTP]), createUser(BOTH), true, TOTP],
  [
    'on, authenticator and contact',
    createSettings('ON', [TOTP, MAIL]),
    createUser(BOTH),
    true,
    `choose ${TOTP}, ${MAIL}`,
  ],
  [
    'on, authenticator and recovery contact',
    createSettings('ON', [TOTP, MAIL], 'verified_email'),
    createUser(BOTH),
    true,
    TOTP,
  ],
  ['on, one contact', createSettings('ON', ALL), createUser({ email }), false, MAIL],
  [
    'on, one contact that is not for recovery',
    createSettings('ON', ALL, 'verified_email'),
    createUser(BOTH),
    false,
    SMS,
  ],
  ['on, two contacts', createSettings('ON', ALL), createUser(BOTH), false, `choose ${MAIL}, ${SMS}`],
  [
    'on, recovery contact only',
    createSettings('ON', ALL, 'verified_email'),
    createUser({ email }),
    false,
    `setup ${TOTP}`,
  ],
  [
    'on, recovery contact, no authenticators',
    createSettings('ON', [MAIL], 'verified_email'),
    createUser({ email }),
    false,
    'impossible',
  ],
  [
    'on, contact of no offered method',
    createSettings('ON', [TOTP, MAIL]),
    createUser({ phone_number }),
    false,
    `setup ${TOTP}`,
  ],
  ['on, no contact', createSettings('ON', ALL), createUser({}), false, `setup ${TOTP}, ${MAIL}`],
  [
    'on, no contact, recovery by mail',
    createSettings('ON', ALL, 'verified_email'),
    createUser({}),
    false,
    `setup ${TOTP}`,
  ],
  [
    'on, no contact, recovery by telephone',
    createSettings('ON', ALL, 'verified_phone_number'),
    createUser({}),
    false,
    `setup ${TOTP}, ${MAIL}`,
  ],
  ['on, no contact, messages by telephone alone', createSettings('ON', [SMS]), createUser({}), false, 'impossible'],
  ['on, nothing offered', createSettings('ON', []), createUser(BOTH), true, 'impossible'],
  ['on, switched off but proven', createSettings('ON', ALL), createUser({}, []), true, TOTP],
  ['on, all that was switched on is gone', createSettings('ON', ALL), createUser({}, [SMS]), false, 'impossible'],
  ['on, an authenticator that is no longer offered', createSettings('ON', [MAIL]), createUser({}), true, 'impossible'],
  ['an empty contact is none', createSettings('ON', ALL), createUser({ email: '' }), false, `setup ${TOTP}, ${MAIL}`],
];

const CONFIGURATIONS: readonly MfaConfiguration[] = ['OFF', 'OPTIONAL', 'ON'];
const RECOVERIES: readonly RecoveryMechanism[] = ['verified_email', 'verified_phone_number', 'admin_only'];
const CONTACTS: readonly MfaUser['attributes'][] = [{}, { email }, { phone_number }, BOTH];
const SUBSETS: readonly (readonly MfaMethod[])[] = [
  [],
  [TOTP],
  [MAIL],
  [SMS],
  [TOTP, MAIL],
  [SMS, TOTP],
  [MAIL, SMS],
  ALL,
];

interface Situation {
  readonly settings: PoolSettings;
  readonly user: MfaUser;
  readonly hasActiveTotp: boolean;
}

/** Every possible situation: 3 · 8 · 3 · 4 · 8 · preferences · 2. */
function* situations(): Generator<Situation> {
  for (const configuration of CONFIGURATIONS)
    for (const methods of SUBSETS)
      for (const recovery of RECOVERIES)
        for (const user of users())
          for (const hasActiveTotp of [false, true])
            yield { settings: createSettings(configuration, methods, recovery), user, hasActiveTotp };
}

function* users(): Generator<MfaUser> {
  for (const attributes of CONTACTS)
    for (const mfaMethods of SUBSETS)
      for (const preferredMfa of [null, ...mfaMethods]) yield createUser(attributes, mfaMethods, preferredMfa);
}

function isUsable({ settings, user, hasActiveTotp }: Situation, method: MfaMethod): boolean {
  const has = { [TOTP]: hasActiveTotp, [MAIL]: 'email' in user.attributes, [SMS]: 'phone_number' in user.attributes };
  return settings.mfaMethods.includes(method) && has[method];
}

/** What must be true of the result in every situation. */
const RULES: readonly (readonly [string, (situation: Situation, factors: SecondFactorRequirement) => boolean])[] = [
  [
    'off and only off asks nobody who switched one on',
    ({ settings, user }, { kind }) =>
      kind !== 'none' ||
      settings.mfaConfiguration === 'OFF' ||
      (settings.mfaConfiguration === 'OPTIONAL' && user.mfaMethods.length === 0),
  ],
  ['off lets everybody through', ({ settings }, { kind }) => settings.mfaConfiguration !== 'OFF' || kind === 'none'],
  [
    'what is asked can be answered',
    (situation, factors) => asked(factors).every((method) => isUsable(situation, method)),
  ],
  ['a choice has more than one', (_, factors) => factors.kind !== 'choose' || new Set(factors.methods).size > 1],
  [
    'the preferred one is asked alone',
    (situation, factors) => {
      const { preferredMfa } = situation.user;
      if (preferredMfa === null || situation.settings.mfaConfiguration === 'OFF' || !isUsable(situation, preferredMfa))
        return true;
      return factors.kind === 'one' && factors.method === preferredMfa;
    },
  ],
  [
    'nobody who has a factor sets one up with the password alone',
    ({ user, hasActiveTotp }, { kind }) => kind !== 'setup' || (user.mfaMethods.length === 0 && !hasActiveTotp),
  ],
  [
    'the recovery contact is asked only of who switched it on',
    ({ settings, user }, factors) => {
      const method = findRecoveryMfaMethod(settings);
      return method === undefined || !asked(factors).includes(method) || user.mfaMethods.includes(method);
    },
  ],
  [
    'what is set up is offered, is not for recovery, and needs no telephone',
    ({ settings }, factors) =>
      factors.kind !== 'setup' ||
      (factors.methods.length > 0 &&
        factors.methods.every(
          (method) =>
            method !== SMS && method !== findRecoveryMfaMethod(settings) && settings.mfaMethods.includes(method),
        )),
  ],
  [
    'who can use what was switched on is never shut out',
    (situation, { kind }) =>
      kind !== 'impossible' || !situation.user.mfaMethods.some((method) => isUsable(situation, method)),
  ],
];

function asked(factors: SecondFactorRequirement): readonly MfaMethod[] {
  if (factors.kind === 'one') return [factors.method];
  return factors.kind === 'choose' ? factors.methods : [];
}

describe('the second factor of a login', () => {
  for (const [description, settings, user, hasActiveTotp, expected] of CASES) {
    it(`${description}: ${expected}`, () => {
      assert.equal(words(determineSecondFactors(settings, user, hasActiveTotp)), expected);
    });
  }

  for (const [rule, holds] of RULES) {
    it(`${rule}, in every situation`, () => {
      for (const situation of situations()) {
        const factors = determineSecondFactors(situation.settings, situation.user, situation.hasActiveTotp);
        if (!holds(situation, factors)) assert.fail(JSON.stringify([situation, factors]));
      }
    });
  }
});

type Change = readonly [before: MfaPreference, requested: RequestedMfaFactors, after: MfaPreference];

const NONE: MfaPreference = { mfaMethods: [], preferredMfa: null };
const TOTP_AND_MAIL: MfaPreference = { mfaMethods: [TOTP, MAIL], preferredMfa: TOTP };

const CHANGES: readonly Change[] = [
  [NONE, {}, NONE],
  [NONE, { [TOTP]: { enabled: true } }, { mfaMethods: [TOTP], preferredMfa: null }],
  [NONE, { [TOTP]: { enabled: true, preferred: true } }, { mfaMethods: [TOTP], preferredMfa: TOTP }],
  [TOTP_AND_MAIL, {}, TOTP_AND_MAIL],
  [TOTP_AND_MAIL, { [SMS]: { enabled: true } }, { mfaMethods: [SMS, TOTP, MAIL], preferredMfa: TOTP }],
  [TOTP_AND_MAIL, { [MAIL]: { preferred: true } }, { mfaMethods: [TOTP, MAIL], preferredMfa: MAIL }],
  [TOTP_AND_MAIL, { [TOTP]: { preferred: false } }, { mfaMethods: [TOTP, MAIL], preferredMfa: null }],
  [TOTP_AND_MAIL, { [MAIL]: { preferred: false } }, TOTP_AND_MAIL],
  [TOTP_AND_MAIL, { [TOTP]: { enabled: false } }, { mfaMethods: [MAIL], preferredMfa: null }],
  [TOTP_AND_MAIL, { [MAIL]: { enabled: false } }, { mfaMethods: [TOTP], preferredMfa: TOTP }],
  [TOTP_AND_MAIL, { [TOTP]: { enabled: false }, [MAIL]: { enabled: false } }, NONE],
];

describe('a change of the preference', () => {
  it('changes only what it names, and removes the preference of what it turns off', () => {
    for (const [before, requested, after] of CHANGES) assert.deepEqual(changeMfaPreference(before, requested), after);
  });

  it('prefers what was set up during a login', () => {
    assert.deepEqual(enableMfaMethod(NONE, TOTP), { mfaMethods: [TOTP], preferredMfa: TOTP });
    assert.deepEqual(enableMfaMethod(TOTP_AND_MAIL, MAIL), { mfaMethods: [TOTP, MAIL], preferredMfa: MAIL });
  });

  it('uses the contact that its messages go to, and none for an authenticator', () => {
    const rows = [
      [SMS, phone_number, 'phone_number'],
      [MAIL, email, 'email'],
      [TOTP, undefined, undefined],
    ] as const;
    for (const [method, destination, used] of rows) {
      assert.equal(findMfaDestination({ attributes: BOTH }, method), destination);
      assert.equal(findMfaDestination({ attributes: { email: '', phone_number: '' } }, method), undefined);
      for (const attribute of ['email', 'phone_number', 'name']) {
        assert.equal(isMfaContact({ mfaMethods: [method] }, attribute), attribute === used);
      }
    }
    assert.equal(isMfaContact({ mfaMethods: [] }, 'email'), false);
    assert.deepEqual(
      [[], ['admin_only'], ['verified_email', 'verified_phone_number'], ['verified_phone_number']].map((recovery) =>
        findRecoveryMfaMethod({ recovery: recovery as readonly RecoveryMechanism[] }),
      ),
      [undefined, undefined, MAIL, SMS],
    );
  });

  it('is shown without empty members', () => {
    assert.deepEqual(toCognitoMfaFields(NONE), {});
    assert.deepEqual(toCognitoMfaFields(TOTP_AND_MAIL), {
      UserMFASettingList: [TOTP, MAIL],
      PreferredMfaSetting: TOTP,
    });
  });

  const refusals: readonly (readonly [PoolSettings, MfaUser, RequestedMfaFactors, boolean, string])[] = [
    [
      createSettings('OFF', ALL),
      createUser(BOTH),
      { [TOTP]: { enabled: true } },
      true,
      `${TOTP} is not enabled for the user pool.`,
    ],
    [
      createSettings('ON', [TOTP]),
      createUser(BOTH),
      { [MAIL]: { enabled: true } },
      true,
      `${MAIL} is not enabled for the user pool.`,
    ],
    [
      createSettings('ON', ALL),
      createUser(BOTH),
      { [TOTP]: { enabled: true } },
      false,
      'User has not verified software token mfa',
    ],
    [
      createSettings('ON', ALL),
      createUser({ email }),
      { [SMS]: { enabled: true } },
      true,
      `User does not have delivery config set to turn on ${SMS}`,
    ],
    [
      createSettings('ON', ALL),
      createUser({}),
      { [MAIL]: { enabled: true } },
      true,
      `User does not have delivery config set to turn on ${MAIL}`,
    ],
    [
      createSettings('ON', ALL),
      createUser(BOTH),
      { [MAIL]: { preferred: true } },
      true,
      `${MAIL} cannot be preferred while it is not enabled.`,
    ],
    [
      createSettings('ON', ALL),
      createUser(BOTH, [MAIL]),
      { [MAIL]: { enabled: false, preferred: true } },
      true,
      `${MAIL} cannot be preferred while it is not enabled.`,
    ],
    [
      createSettings('ON', ALL),
      createUser(BOTH),
      { [MAIL]: { enabled: true, preferred: true }, [SMS]: { enabled: true, preferred: true } },
      true,
      'Only one MFA method can be preferred.',
    ],
  ];

  for (const [settings, user, requested, hasActiveTotp, message] of refusals) {
    it(`is refused: ${message}`, () => {
      assert.throws(
        () => checkRequestedMfaFactors(settings, user, requested, hasActiveTotp),
        (error) =>
          error instanceof ProviderError &&
          error.code === 'InvalidParameterException' &&
          error.message === message &&
          error.reason === (message.endsWith('for the user pool.') ? 'flow_disabled' : undefined),
      );
    });
  }

  it('can turn off what the pool no longer offers', () => {
    checkRequestedMfaFactors(
      createSettings('OFF', []),
      createUser({}, ALL, TOTP),
      { [TOTP]: { enabled: false } },
      false,
    );
  });
});
