import type { IdentityProvider } from '@poolgate/provider';
import type { Parts } from '../assembly.ts';
import { altered, type Fault, misreading, miswriting, reordered, replaced, without } from './plant.ts';
import { answer, choose, enrolled, logIn, registered, startSrp, wait } from './scripts.ts';

/** A provider that accepts every session as that of the named user. */
function unnamed(real: IdentityProvider): IdentityProvider {
  const names = new Map<string | undefined, string>();
  const { initiateAuth, respondToAuthChallenge } = real.operations;
  const note = <Answer extends { readonly Session?: string }>(given: Answer, name: string): Answer => {
    names.set(given.Session, name);
    return given;
  };
  const operations = altered(real.operations, {
    initiateAuth: async (input, call) => note(await initiateAuth(input, call), input.AuthParameters?.USERNAME ?? ''),
    respondToAuthChallenge: async (input, call) => {
      const USERNAME = names.get(input.Session) ?? input.ChallengeResponses?.USERNAME ?? '';
      const ChallengeResponses = { ...input.ChallengeResponses, USERNAME };
      return note(await respondToAuthChallenge({ ...input, ChallengeResponses }, call), USERNAME);
    },
  });
  return altered(real, { operations });
}

/** Two parallel answers both find the session unused, and both consume it. */
function spentByTwo(): Partial<Parts> {
  const spent = new Map<string, number>();
  return miswriting((real) => ({
    challengeSessions: {
      reserve: async (id, expiresAtMs) => (await real.challengeSessions.reserve(id, expiresAtMs)) ?? 1,
      async reserveAndSpend(id, expiresAtMs) {
        const times = (spent.get(id) ?? 0) + 1;
        spent.set(id, times);
        return (await real.challengeSessions.reserveAndSpend(id, expiresAtMs)) ?? (times === 2 ? times : undefined);
      },
      async spend(id) {
        const times = (spent.get(id) ?? 0) + 1;
        spent.set(id, times);
        return (await real.challengeSessions.spend(id)) || times === 2;
      },
    },
  }));
}

const LONG_SECONDS = 9000;

/** Mistakes in the order of steps. */
export const ORDER_FAULTS: readonly Fault[] = [
  {
    name: 'the second factor is not required',
    plant: without('SOFTWARE_TOKEN_MFA'),
    script: [...enrolled, wait(31), logIn()],
  },
  {
    name: 'a user who must set up a second factor gets in without one',
    plant: without('MFA_SETUP'),
    isMfaRequired: true,
    script: [logIn()],
  },
  {
    name: 'a temporary password works like a permanent one',
    plant: without('NEW_PASSWORD_REQUIRED'),
    script: [['setPassword', { who: 0, isPermanent: false }], logIn()],
  },
  {
    name: 'the proof of a remembered device is skipped',
    plant: reordered((rows) => [
      { applies: ({ device }) => device === 'remembered', step: { kind: 'tokens' } },
      ...rows,
    ]),
    script: [...registered(true), logIn({ device: 'own' })],
  },
  {
    name: 'an enabled factor is not stored',
    parts: miswriting((real) => ({
      users: {
        update: (poolId, username, { mfaMethods: _, preferredMfa: __, ...change }) =>
          real.users.update(poolId, username, change),
      },
    })),
    script: [...enrolled, wait(31), logIn()],
  },
  {
    name: 'a session is not consumed by its answer',
    parts: miswriting(() => ({
      challengeSessions: { reserve: async () => 1, spend: async () => true, reserveAndSpend: async () => 1 },
    })),
    script: [startSrp, answer('right'), ['replay', { at: 0 }]],
  },
  {
    name: 'two parallel answers consume the same session',
    parts: spentByTwo(),
    script: [startSrp, answer('right', 3)],
  },
  {
    name: 'a wrong proof does not consume its session',
    plant: replaced('PASSWORD_VERIFIER', () => ({ spentBy: 'success' })),
    script: [startSrp, answer('wrong'), answer('right')],
  },
  {
    name: 'a session lasts too long',
    parts: misreading((real) => ({
      clients: {
        byId: async (id) => {
          const client = await real.clients.byId(id);
          return client && { ...client, settings: { ...client.settings, authSessionSeconds: LONG_SECONDS } };
        },
      },
    })),
    script: [...enrolled, wait(31), logIn(), wait(181), answer('right')],
  },
  {
    name: 'a session is accepted for another user',
    parts: { provider: unnamed },
    script: [...enrolled, wait(31), logIn(), answer('under a foreign name')],
  },
  {
    name: 'a password is not verified',
    plant: replaced('PASSWORD', () => ({ verifyAnswer: () => ({ outcome: 'proven' }) })),
    script: [logIn({ isRight: false })],
  },
  {
    name: 'a decoy challenge can be passed',
    plant: replaced('SMS_OTP', (real) => ({ verifyAnswer: (step) => anything(real.verifyAnswer(step)) })),
    script: [choose('SMS_OTP', 1), answer('right')],
  },
];

async function anything<Verdict extends { readonly outcome: string }>(verdict: Verdict | Promise<Verdict>) {
  const { outcome } = await verdict;
  return outcome === 'disproven' ? ({ outcome: 'proven' } as const) : verdict;
}
