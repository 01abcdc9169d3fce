import type { LoginCandidate } from '../identity/login-candidate.ts';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { createChallengeSession, encryptChallengeSession } from './challenge-session.ts';
import type { Factor } from './challenges/challenge.ts';

/** A sign-up that was just confirmed. Its code was the proof, and only its sender has the session. */
export const signUpFactor: Factor = {
  name: 'SIGN_UP',
  counter: undefined,
  spentBy: 'success',
  verifyAnswer: () => ({ outcome: 'proven' }),
};

/** Creates the session with which a user who just confirmed the sign-up logs in without another proof. */
export function createSignUpLoginSession(
  ports: ClockPort & RandomPort & KeyRingPort,
  owner: PoolAndClient,
  candidate: LoginCandidate,
): string {
  const { typedName, userId, passwordVersion } = candidate;
  const device = { deviceKey: null, isBoundToDevice: false };
  const content = {
    challenge: signUpFactor.name,
    typedName,
    userId,
    passwordVersion,
    proofs: [],
    state: new Uint8Array(),
  };
  return encryptChallengeSession(ports, createChallengeSession(ports, owner, { ...content, ...device }));
}
