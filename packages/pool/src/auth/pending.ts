import type { ProviderError } from '@poolgate/provider';
import type { CarrierName, Parameters } from '../challenges/challenge.ts';
import { type Candidate, candidateAgain, saltHexOf } from '../domain/masking.ts';
import { canonicalName } from '../domain/names.ts';
import type { PoolAndClient } from '../domain/pools.ts';
import { findUser } from '../domain/users.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolReads } from '../store/pool-store.ts';
import { type Answer, CARRIERS } from './carrier.ts';
import type { Pending } from './decision.ts';
import { openSession } from './session.ts';

/**
 * The session that an answer comes with, whatever is pending in it.
 * @throws {ProviderError} `NotAuthorizedException`: none of this pool and client, or expired; `InvalidParameterException`: none at all
 */
export function openPending(
  context: PoolRuntime,
  scope: PoolAndClient,
  carrierName: CarrierName,
  answer: Answer,
): Pending {
  const carrier = CARRIERS[carrierName];
  const session = openSession(context, scope, carrier.take(answer));
  if (session === undefined) throw carrier.foreign();
  if (context.clock.now() >= session.expiresAtMs) throw carrier.expired();
  return { session, carrier };
}

/**
 * The name that the login was started with, or the user name. Other names of the user would tell that they are the user's.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function requireSameUser({ pool }: PoolAndClient, { session, carrier }: Pending, sent: Parameters): void {
  const canonical = (name: string) => canonicalName(pool.settings, name);
  const named = canonical(sent.USERNAME ?? '');
  if (named !== canonical(session.typedName) && named !== canonical(session.userId)) throw carrier.foreign();
}

/**
 * The candidate of the step before. Where the user is gone or got another password meanwhile, a first factor goes on
 * with a password that nobody knows, so that this costs the same; later steps have nothing more to hide.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export async function reopenCandidate(
  context: PoolRuntime,
  scope: PoolAndClient,
  pending: Pending,
): Promise<Candidate> {
  const candidate = await candidateNow(context, context.store, scope, pending);
  if (candidate === undefined) throw await refusalOf(context, pending);
  return candidate;
}

/** As {@link reopenCandidate}; undefined where it refuses. */
export async function candidateNow(
  context: PoolRuntime,
  store: PoolReads,
  { pool }: PoolAndClient,
  { session }: Pending,
): Promise<Candidate | undefined> {
  const named = await findUser({ store }, pool, session.userId);
  const found = named?.user.username === session.userId ? named : undefined;
  const isSame = found !== undefined && saltHexOf(context, pool, found) === session.saltHex;
  if (!isSame && session.proofs.length > 0) return undefined;
  const known = isSame ? found : found && { user: found.user, credential: undefined };
  return candidateAgain(context, pool, session, known);
}

/** An answer that was taken may itself have changed the password: then its session is spent rather than foreign. */
async function refusalOf(context: PoolRuntime, { session, carrier }: Pending): Promise<ProviderError> {
  const answers = await context.store.write((transaction) =>
    transaction.reserveSession(session.id, session.expiresAtMs),
  );
  return answers === undefined ? carrier.spent() : carrier.foreign();
}
