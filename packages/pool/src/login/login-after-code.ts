import type { LoginCandidate } from '../identity/login-candidate.ts';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { createChallengeSession, encryptChallengeSession } from './challenge-session.ts';
import type { Factor, ProofName } from './challenges/challenge.ts';

/** What a code was entered for. */
type CodePurpose = 'PASSWORD_RESET' | 'SIGN_UP';

/** A code that was just entered. It was the proof, and only its sender has the session. */
const createCodeFactor = (name: CodePurpose): Factor => ({
  name,
  counter: undefined,
  spentBy: 'success',
  verifyAnswer: () => ({ outcome: 'proven' }),
});

const CODE_FACTORS: readonly Factor[] = [createCodeFactor('PASSWORD_RESET'), createCodeFactor('SIGN_UP')];

/** The factor of a session whose code was just entered; undefined for other sessions. */
export function findCodeFactor(challenge: ProofName): Factor | undefined {
  return CODE_FACTORS.find(({ name }) => name === challenge);
}

/**
 * Creates the session with which a user who just confirmed a sign-up or reset the password logs in without another proof. It works once, and
 * only until the password changes.
 */
export function createCodeLoginSession(
  ports: ClockPort & RandomPort & KeyRingPort,
  owner: PoolAndClient,
  challenge: CodePurpose,
  { typedName, userId, passwordVersion }: Pick<LoginCandidate, 'typedName' | 'userId' | 'passwordVersion'>,
): string {
  const device = { deviceKey: null, isBoundToDevice: false };
  const content = { challenge, typedName, userId, passwordVersion, proofs: [], state: new Uint8Array() };
  return encryptChallengeSession(ports, createChallengeSession(ports, owner, { ...content, ...device }));
}
