import type { IdentityProvider, SecretBlockContent } from '@poolgate/provider';
import type { KeyRingPort } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { type ChallengeSession, decryptChallengeSession } from './challenge-session.ts';
import { decodeSecretBlock } from './session-carrier.ts';

/** Returns the content of a secret block of this pool and client; undefined if it has none, or if `Session` belongs to another login. */
export function readSecretBlock(
  ports: KeyRingPort,
  scope: PoolAndClient,
  { SecretBlock, Session }: Parameters<IdentityProvider['readSecretBlock']>[0],
): SecretBlockContent | undefined {
  const carried = decryptChallengeSession(ports, scope, decodeSecretBlock(SecretBlock));
  if (carried?.srpAEnd === undefined) return undefined;
  if (Session !== undefined && !isBesideBlock(decryptChallengeSession(ports, scope, Session), carried))
    return undefined;
  return { ...toProver(carried), Username: carried.typedName, SrpAEnd: carried.srpAEnd };
}

/**
 * The session that was issued with a block contains less. The block's own content is not accepted as such a session, because it would prove
 * nothing.
 */
function isBesideBlock(session: ChallengeSession | undefined, carried: ChallengeSession): boolean {
  return session?.id === carried.id && session.srpAEnd === undefined;
}

function toProver({ challenge, deviceKey, userId }: ChallengeSession) {
  return challenge === 'DEVICE_PASSWORD_VERIFIER'
    ? ({ ChallengeName: challenge, UserIdForSrp: deviceKey ?? '' } as const)
    : ({ ChallengeName: 'PASSWORD_VERIFIER', UserIdForSrp: userId } as const);
}
