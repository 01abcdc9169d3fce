import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChallengeName } from '@poolgate/provider';
import type { UserStatus } from '../store/records.ts';
import { type Facts, NEXT_STEPS, nextStep, type Row, type Step } from './next-step.ts';

const NOW_MS = 1_800_000_000_000;

type Words = 'tokens' | ChallengeName | `refused: ${string}`;
type Password = 'none' | 'permanent' | 'temporary' | 'expired now' | 'expired';
type Proofs = readonly ChallengeName[];

const STATUSES: readonly UserStatus[] = ['UNCONFIRMED', 'CONFIRMED', 'FORCE_CHANGE_PASSWORD', 'RESET_REQUIRED'];
const PASSWORDS: Readonly<Record<Password, number | null | undefined>> = {
  none: undefined,
  permanent: null,
  temporary: NOW_MS + 1,
  'expired now': NOW_MS,
  expired: NOW_MS - 1,
};
const PROOFS: readonly Proofs[] = [
  [],
  ['NEW_PASSWORD_REQUIRED'],
  ['PASSWORD'],
  ['PASSWORD_VERIFIER'],
  ['PASSWORD', 'NEW_PASSWORD_REQUIRED'],
  ['PASSWORD_VERIFIER', 'NEW_PASSWORD_REQUIRED'],
];

const DISABLED = 'refused: User is disabled.';
const UNCONFIRMED = 'refused: User is not confirmed.';
const RESET = 'refused: Password reset required for the user';
const TOO_OLD = 'refused: Temporary password has expired and must be reset by an administrator.';
const NOTHING_PROVEN = 'refused: Incorrect username or password.';

function facts(enabled: boolean, status: UserStatus, password: Password, proofs: Proofs): Facts {
  const poolId = 'us-east-1_Pool';
  const username = 'alice';
  const times = { createdAtMs: 0, modifiedAtMs: 0 };
  const temporaryUntilMs = PASSWORDS[password];
  return {
    user: { poolId, username, sub: 'sub', status, enabled, attributes: {}, ...times },
    credential:
      temporaryUntilMs === undefined
        ? undefined
        : { poolId, username, saltHex: '1', verifierSealed: '', temporaryUntilMs, setAtMs: 0 },
    settings: {
      usernameAttributes: [],
      aliasAttributes: [],
      usernamesAreCaseSensitive: false,
      autoVerifiedAttributes: [],
      onlyAdminsCreateUsers: false,
      passwordPolicy: {
        minimumLength: 8,
        requireUppercase: false,
        requireLowercase: false,
        requireNumbers: false,
        requireSymbols: false,
        temporaryPasswordValidityDays: 7,
      },
      mfaConfiguration: 'OFF',
      customAttributes: {},
      requiredAttributes: [],
      issuer: 'https://issuer.test',
    },
    proofs,
    nowMs: NOW_MS,
  };
}

function words(step: Step): Words {
  if (step.kind === 'refusal') return `refused: ${step.message}`;
  return step.kind === 'challenge' ? step.name : 'tokens';
}

/** The order as Cognito documents it, written a second time and in another form: by state instead of by rule. */
const FORCED: Readonly<Record<Password, Words>> = {
  none: 'NEW_PASSWORD_REQUIRED',
  permanent: 'NEW_PASSWORD_REQUIRED',
  temporary: 'NEW_PASSWORD_REQUIRED',
  'expired now': TOO_OLD,
  expired: TOO_OLD,
};

function expected(enabled: boolean, status: UserStatus, password: Password, proofs: Proofs): Words {
  if (!enabled) return DISABLED;
  if (status === 'UNCONFIRMED') return UNCONFIRMED;
  if (status === 'RESET_REQUIRED') return RESET;
  const key = proofs.join('+');
  if (status === 'FORCE_CHANGE_PASSWORD' && !key.endsWith('NEW_PASSWORD_REQUIRED')) return FORCED[password];
  return key.startsWith('PASSWORD') ? 'tokens' : NOTHING_PROVEN;
}

describe('the step after a proven factor', () => {
  for (const status of STATUSES) {
    it(`is the documented one for every ${status} user, password and chain of proofs`, () => {
      let seen = 0;
      for (const enabled of [true, false]) {
        for (const password of Object.keys(PASSWORDS) as Password[]) {
          for (const proofs of PROOFS) {
            const step = words(nextStep(facts(enabled, status, password, proofs)));
            assert.equal(step, expected(enabled, status, password, proofs), `${enabled} ${password} [${proofs}]`);
            seen++;
          }
        }
      }
      assert.equal(seen, 60);
    });
  }

  it('A47: gives tokens only to an enabled, confirmed user, or after a new password', () => {
    const given = STATUSES.flatMap((status) =>
      PROOFS.flatMap((proofs) =>
        [true, false]
          .filter((enabled) => nextStep(facts(enabled, status, 'temporary', proofs)).kind === 'tokens')
          .map((enabled) => `${status} ${enabled} ${proofs.join('+')}`),
      ),
    );
    assert.deepEqual(given, [
      'CONFIRMED true PASSWORD',
      'CONFIRMED true PASSWORD_VERIFIER',
      'CONFIRMED true PASSWORD+NEW_PASSWORD_REQUIRED',
      'CONFIRMED true PASSWORD_VERIFIER+NEW_PASSWORD_REQUIRED',
      'FORCE_CHANGE_PASSWORD true PASSWORD+NEW_PASSWORD_REQUIRED',
      'FORCE_CHANGE_PASSWORD true PASSWORD_VERIFIER+NEW_PASSWORD_REQUIRED',
    ]);
  });

  it('is refused where no row applies', () => {
    const step = nextStep(facts(true, 'CONFIRMED', 'permanent', ['PASSWORD']), []);
    assert.equal(words(step), NOTHING_PROVEN);
  });

  it('is widened by a row, without a change of what reads the rows', () => {
    const unknownDevice: Row = {
      applies: ({ proofs }) => proofs.includes('PASSWORD_VERIFIER'),
      step: {
        kind: 'refusal',
        code: 'ResourceNotFoundException',
        message: 'Device does not exist.',
        reason: 'device_not_found',
        keepsSession: true,
      },
    };
    const rows = NEXT_STEPS.toSpliced(-1, 0, unknownDevice);
    const bySrp = facts(true, 'CONFIRMED', 'permanent', ['PASSWORD_VERIFIER']);
    assert.equal(words(nextStep(bySrp, rows)), 'refused: Device does not exist.');
    assert.equal(words(nextStep(facts(true, 'CONFIRMED', 'permanent', ['PASSWORD']), rows)), 'tokens');
  });
});
