import type { AuthFlow } from '@poolgate/provider';
import type { Parameters } from '../challenges/challenge.ts';
import { password } from '../challenges/password.ts';
import { checkSrpA } from '../challenges/password-verifier.ts';
import { findCandidate } from '../domain/masking.ts';
import { checkSecretHash, type PoolAndClient } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { refreshTokens } from '../tokens/refresh.ts';
import { type AuthResponse, pose, take } from './turn.ts';

/** The first request of a login; which keys it must have is checked already. */
interface FlowStart extends PoolAndClient {
  readonly context: PoolRuntime;
  readonly sent: Parameters;
}

/** What this pool does with one flow. Parameters and doors are in the provider's table of flows. */
interface FlowRow {
  /** Answered where the client does not allow the flow; each flow has its own words in Cognito. */
  readonly disabledMessage: string;
  readonly start: (start: FlowStart) => Promise<AuthResponse>;
}

/** The flows that this pool knows. */
export const POOL_FLOWS: Readonly<Partial<Record<AuthFlow, FlowRow>>> = {
  ADMIN_USER_PASSWORD_AUTH: { disabledMessage: 'Auth flow not enabled for this client', start: startWithPassword },
  REFRESH_TOKEN_AUTH: { disabledMessage: 'Auth flow not enabled for this client', start: startWithRefreshToken },
  USER_PASSWORD_AUTH: {
    disabledMessage: 'USER_PASSWORD_AUTH flow not enabled for this client',
    start: startWithPassword,
  },
  USER_SRP_AUTH: { disabledMessage: 'USER_SRP_AUTH is not enabled for the client.', start: startWithSrp },
};

async function startWithPassword(start: FlowStart): Promise<AuthResponse> {
  return take(await firstStep(start), password, undefined);
}

async function startWithSrp(start: FlowStart): Promise<AuthResponse> {
  checkSrpA(start.sent);
  return pose(await firstStep(start), 'PASSWORD_VERIFIER', []);
}

async function firstStep(start: FlowStart) {
  const typedName = start.sent.USERNAME ?? '';
  checkSecretHash(start.context, start, [typedName], start.sent.SECRET_HASH);
  const candidate = await findCandidate(start.context, start, typedName);
  return { ...start, nowMs: start.context.clock.now(), candidate };
}

/** The request names no user: the secret hash is over the name of the one to whom the token belongs. */
async function startWithRefreshToken({ context, pool, client, sent }: FlowStart): Promise<AuthResponse> {
  const tokens = await refreshTokens(context, {
    pool,
    client,
    refreshToken: sent.REFRESH_TOKEN ?? '',
    authorize: (user) => checkSecretHash(context, { pool, client }, [user.username, user.sub], sent.SECRET_HASH),
  });
  return { AuthenticationResult: tokens, ChallengeParameters: {} };
}
