import type { Factor } from '../challenges/challenge.ts';
import type { Candidate } from '../domain/masking.ts';
import type { PoolAndClient } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { newSession, sealSession } from './session.ts';

/** A sign-up that was confirmed just before: its code was the proof, and only who sent that has the session. */
export const signedUp: Factor = {
  name: 'SIGN_UP',
  counter: undefined,
  spentBy: 'success',
  answer: () => ({ outcome: 'proven' }),
};

/** The session by which a user who has just confirmed the sign-up logs in without another proof. */
export function signedUpSession(context: PoolRuntime, owner: PoolAndClient, candidate: Candidate): string {
  const { typedName, userId, saltHex } = candidate;
  const device = { deviceKey: null, isBoundToDevice: false };
  const content = { challenge: signedUp.name, typedName, userId, saltHex, proofs: [], state: new Uint8Array() };
  return sealSession(context, newSession(context, owner, { ...content, ...device }));
}
