import { AUTH_FLOWS, authFlowOf, CHALLENGES, type Input, ProviderError } from '@poolgate/provider';
import type { Challenge, Parameters } from '../challenges/challenge.ts';
import { poolChallenge } from '../challenges/index.ts';
import { type Candidate, candidateAgain, saltHexOf } from '../domain/masking.ts';
import { canonicalName } from '../domain/names.ts';
import { checkSecretHash, type PoolAndClient } from '../domain/pools.ts';
import { missingParameter, otherChallenge } from '../domain/refusals.ts';
import { findUser } from '../domain/users.ts';
import type { PoolRuntime } from '../runtime.ts';
import { CARRIERS } from './carrier.ts';
import { POOL_FLOWS } from './flows.ts';
import { openSession } from './session.ts';
import type { Pending } from './settle.ts';
import { type AuthResponse, take } from './turn.ts';

/** The operation by which a login is started. */
export type Door = 'InitiateAuth' | 'AdminInitiateAuth';

/**
 * Starts a login.
 * @throws {ProviderError} the refusals of `InitiateAuth`
 */
export async function start(
  context: PoolRuntime,
  scope: PoolAndClient,
  door: Door,
  input: Pick<Input<'InitiateAuth'>, 'AuthFlow' | 'AuthParameters'>,
): Promise<AuthResponse> {
  const flow = authFlowOf(input.AuthFlow);
  const row = flow === undefined ? undefined : POOL_FLOWS[flow];
  const doors: readonly Door[] = flow === undefined ? [] : AUTH_FLOWS[flow].startedBy;
  if (flow === undefined || row === undefined || !doors.includes(door)) {
    throw flowRefused('Initiate Auth method not supported');
  }
  if (!scope.client.settings.allowedFlows.includes(flow)) throw flowRefused(row.disabledMessage);
  const sent = present(input.AuthParameters);
  requireKeys(sent, AUTH_FLOWS[flow].parameters.required);
  return row.start({ context, ...scope, sent });
}

/**
 * Takes the answer to a pending challenge, through whichever door the login was started.
 * @throws {ProviderError} the refusals of `RespondToAuthChallenge`
 */
export async function advance(
  context: PoolRuntime,
  scope: PoolAndClient,
  input: Pick<Input<'RespondToAuthChallenge'>, 'ChallengeName' | 'ChallengeResponses' | 'Session'>,
): Promise<AuthResponse> {
  const challenge = poolChallenge(input.ChallengeName);
  if (challenge === undefined) throw otherChallenge();
  const sent = present(input.ChallengeResponses);
  requireKeys(sent, ['USERNAME']);
  const pending = openPending(context, scope, challenge, { session: input.Session, responses: sent });
  const { session } = pending;
  requireSameUser(scope, pending, sent);
  checkSecretHash(context, scope, [sent.USERNAME ?? '', session.typedName, session.userId], sent.SECRET_HASH);
  requireKeys(sent, CHALLENGES[challenge.name].answer.required);
  const candidate = await reopen(context, scope, pending);
  return take({ context, ...scope, nowMs: context.clock.now(), candidate, sent }, challenge, pending);
}

function openPending(
  context: PoolRuntime,
  scope: PoolAndClient,
  challenge: Challenge,
  answer: { readonly session: string | undefined; readonly responses: Parameters },
): Pending {
  const carrier = CARRIERS[challenge.carrier];
  const session = openSession(context, scope, carrier.take(answer));
  if (session === undefined) throw carrier.foreign();
  if (context.clock.now() >= session.expiresAtMs) throw carrier.expired();
  if (session.challenge !== challenge.name) throw otherChallenge();
  return { session, carrier };
}

/** The name that the login was started with, or the user name. Other names of the user would tell that they are the user's. */
function requireSameUser({ pool }: PoolAndClient, { session, carrier }: Pending, sent: Parameters): void {
  const canonical = (name: string) => canonicalName(pool.settings, name);
  const named = canonical(sent.USERNAME ?? '');
  if (named !== canonical(session.typedName) && named !== canonical(session.userId)) throw carrier.foreign();
}

/**
 * The candidate of the step before. Where the user is gone or got another password meanwhile, a first factor goes on
 * with a password that nobody knows, so that this costs the same; later steps have nothing more to hide.
 */
async function reopen(
  context: PoolRuntime,
  { pool }: PoolAndClient,
  { session, carrier }: Pending,
): Promise<Candidate> {
  const named = await findUser(context, pool, session.userId);
  const found = named?.user.username === session.userId ? named : undefined;
  const isSame = found !== undefined && saltHexOf(context, pool, found) === session.saltHex;
  if (!isSame && session.proofs.length > 0) throw await refusalOf(context, { session, carrier });
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

/** Absent, null and empty are one: some clients send `DEVICE_KEY: null`. */
function present(sent: Readonly<Record<string, string | null | undefined>> | undefined): Parameters {
  const entries = Object.entries(sent ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries);
}

function requireKeys(sent: Parameters, names: readonly string[]): void {
  const missing = names.find((name) => !Object.hasOwn(sent, name));
  if (missing !== undefined) throw missingParameter(missing);
}

function flowRefused(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message, { reason: 'flow_disabled' });
}
