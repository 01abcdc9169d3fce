import type { LevelCheck, OAuthServer } from '@poolgate/provider';
import { findUser } from '../identity/user-records.ts';
import type { LoginPorts } from '../login/challenges/login-ports.ts';
import { readTotp } from '../login/login-attempt.ts';
import { toCreditedProofs } from '../login/login-methods.ts';
import { readReachableLevel } from '../login/read-level-step.ts';
import { ACR_LEVELS, type AcrLevel, formatAcr } from '../settings/acr-levels.ts';
import { type AuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { readAuthenticationMethods } from '../tokens/authentication-methods.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';

/**
 * Compares the login of a browser session with the levels that an authorization request asks for. Only such requests get here.
 * @throws {ProviderError} the errors of an access token
 */
export async function checkLevel(
  ports: LoginPorts,
  { Levels, AccessToken }: Parameters<OAuthServer['checkLevel']>[0],
): Promise<LevelCheck> {
  const access = await requireAccessToken(ports, AccessToken);
  const { settings } = access.pool;
  const levels = toLevels(Levels);
  const reached = access.authentication?.level ?? 0;
  const aim = isFederated(access) ? undefined : await findAim(ports, access, levels);
  return {
    IsReached: reached >= (aim ?? levels[0] ?? 0),
    IsReachable: aim !== undefined,
    IsAcceptable: levels.some((level) => reached >= level),
    AcrValues: levels.map((level) => formatAcr(settings, level)).join(' '),
  };
}

function toLevels(numbers: readonly number[]): readonly AcrLevel[] {
  return numbers.flatMap((number) => ACR_LEVELS.filter((level) => level === number));
}

/** Only its identity provider can sign such a user in. */
function isFederated({ user }: AuthorizedUser): boolean {
  return user.status === 'EXTERNAL_PROVIDER';
}

/** Returns the first requested level that the user can reach at the pool itself; undefined if the user can reach none. */
async function findAim(
  ports: LoginPorts,
  { pool, client, user, authentication }: AuthorizedUser,
  levels: readonly AcrLevel[],
): Promise<AcrLevel | undefined> {
  const found = await findUser(ports, pool, user.username);
  if (found === undefined) return undefined;
  const proofs = toCreditedProofs(readAuthenticationMethods(authentication ?? { methods: null }));
  const userFactors = { totp: await readTotp(ports.store, pool, user.username), device: undefined };
  const candidate = createLoginCandidate(ports, pool, user.username, found);
  const step = { ports, pool, client, candidate, nowMs: ports.clock.now(), sent: {}, target: { levels } };
  const highest = await readReachableLevel(
    ports.store,
    { current: { ...found, userFactors }, proofs, userFactors },
    step,
  );
  return client.settings.allowedFlows.includes('USER_AUTH') ? levels.find((level) => level <= highest) : undefined;
}
