import type {
  AnswerStep,
  AnswerVerdict,
  Challenge,
  ChallengeFacts,
  LoginStep,
  MessageChallengeContent,
} from '../../../packages/pool/src/login/challenges/challenge.ts';
import { POOL_CHALLENGES } from '../../../packages/pool/src/login/challenges/pool-challenges.ts';
import type { Parts } from '../assembly.ts';
import { type Fault, miswriting, replaced } from './plant.ts';
import { answer, choose, enrolled, logIn, wait } from './scripts.ts';

/** A challenge that accepts the code of any login for which it was ever issued. */
function anyCode(real: Challenge): Partial<Challenge> {
  const states: Uint8Array[] = [];
  const issue = (step: LoginStep, shown: ChallengeFacts): MessageChallengeContent => {
    const issued = real.issue(step, shown) as MessageChallengeContent;
    states.push(issued.state);
    return issued;
  };
  return {
    issue,
    verifyAnswer: (step) =>
      firstProven(
        real,
        [step.state, ...states].map((state) => ({ ...step, state })),
      ),
  };
}

async function firstProven(real: Challenge, steps: readonly AnswerStep[]): Promise<AnswerVerdict> {
  const verdicts = await Promise.all(steps.map((step) => real.verifyAnswer(step)));
  return verdicts.find(({ outcome }) => outcome === 'proven') ?? (verdicts[0] as AnswerVerdict);
}

/** Accepts the code of a login without a password as the second factor of another one. */
function firstFactorCodesAsSecond(): () => void {
  const { EMAIL_OTP: first, EMAIL_MFA: second } = POOL_CHALLENGES;
  const { verifyAnswer, ...noting } = anyCode(first);
  const undo = [
    replaced('EMAIL_OTP', () => noting)(),
    replaced('EMAIL_MFA', () => ({
      verifyAnswer: async (step) => {
        const verdict = await second.verifyAnswer(step);
        return verdict.outcome === 'proven' || verifyAnswer === undefined ? verdict : verifyAnswer(step);
      },
    }))(),
  ];
  return () => {
    for (const putBack of undo) putBack();
  };
}

/** Recovery codes that can be reused. */
function usedCodesAreGood(): Partial<Parts> {
  const good = new Set<string>();
  return miswriting((real) => ({
    recoveryCodes: {
      use: async (poolId, username, digestHex) => {
        if (await real.recoveryCodes.use(poolId, username, digestHex)) good.add(digestHex);
        return good.has(digestHex);
      },
    },
  }));
}

/** New recovery codes that do not replace the old ones. */
function oldCodesStay(): Partial<Parts> {
  const drawn: string[] = [];
  return miswriting((real) => ({
    recoveryCodes: {
      replace: (poolId, username, digestsHex, nowMs) => {
        drawn.push(...digestsHex);
        return real.recoveryCodes.replace(poolId, username, drawn, nowMs);
      },
    },
  }));
}

const TOO_LONG_MS = 60_000;

/** Mistakes in what is single-use, for one purpose and for a limited time. */
export const SECRET_FAULTS: readonly Fault[] = [
  {
    name: 'the time step of a used code is not stored',
    parts: miswriting(() => ({ authenticators: { useStep: async () => {} } })),
    script: [...enrolled, wait(31), logIn(), answer('right'), logIn(), answer('used before')],
  },
  {
    name: 'the time step that enrolled an authenticator also works for a login',
    parts: miswriting((real) => ({
      authenticators: { put: (totp) => real.authenticators.put({ ...totp, lastStep: -1 }) },
    })),
    script: [...enrolled, logIn(), answer('used before')],
  },
  {
    name: 'expired codes are valid',
    plant: replaced('SOFTWARE_TOKEN_MFA', (real) => ({
      verifyAnswer: (step) => firstProven(real, [step, { ...step, nowMs: step.nowMs - TOO_LONG_MS }]),
    })),
    script: [...enrolled, wait(181), logIn(), answer('too old')],
  },
  {
    name: 'a code works in another login',
    plant: replaced('EMAIL_OTP', anyCode),
    script: [choose('EMAIL_OTP'), choose('EMAIL_OTP'), answer('of another login')],
  },
  {
    name: 'a code works for another purpose',
    plant: firstFactorCodesAsSecond,
    script: [
      choose('EMAIL_OTP'),
      logIn(),
      ['preferFactor', { at: 0, method: 'EMAIL_OTP', isOn: true, isPreferred: true }],
      logIn(),
      answer('of another login'),
    ],
  },
  {
    name: 'a recovery code works twice',
    parts: usedCodesAreGood(),
    script: [
      ...enrolled,
      ['drawRecoveryCodes', { at: 0 }],
      logIn(),
      answer('recovery code'),
      logIn(),
      answer('void recovery code'),
    ],
  },
  {
    name: 'new recovery codes do not invalidate the old ones',
    parts: oldCodesStay(),
    script: [
      ...enrolled,
      ['drawRecoveryCodes', { at: 0 }],
      ['drawRecoveryCodes', { at: 0 }],
      logIn(),
      answer('void recovery code'),
    ],
  },
  {
    name: 'an unverified secret replaces the current one',
    parts: miswriting((real) => ({
      authenticators: {
        put: async (totp) => {
          await real.authenticators.put(totp);
          await real.authenticators.put({ ...totp, state: 'active' });
        },
      },
    })),
    script: [...enrolled, ['enrolTotp', { at: 0, proof: 'none' }], wait(31), logIn(), answer('right')],
  },
];
