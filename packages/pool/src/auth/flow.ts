import {
  AUTH_FLOWS,
  authFlowOf,
  type CallContext,
  CHALLENGES,
  type ChallengeName,
  type Input,
} from '@poolgate/provider';
import type { Challenge, Parameters } from '../challenges/challenge.ts';
import { challengesOnWire, POOL_CHALLENGES } from '../challenges/index.ts';
import { checkSecretHash, type PoolAndClient } from '../domain/pools.ts';
import { flowRefused, missingParameter, otherChallenge } from '../domain/refusals.ts';
import type { PoolRuntime } from '../runtime.ts';
import { chosenFactor } from './choice.ts';
import { POOL_FLOWS } from './flows.ts';
import { openPending, requireSameUser } from './pending.ts';
import type { Session } from './session.ts';
import { type AuthResponse, takeAgain } from './turn.ts';

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
  input: Pick<Input<'InitiateAuth'>, 'AuthFlow' | 'AuthParameters' | 'Session'>,
  { sourceAddress }: CallContext,
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
  return row.start({ context, ...scope, sourceAddress, sent, session: input.Session || undefined });
}

/**
 * Takes the answer to a pending challenge, through whichever door the login was started.
 * @throws {ProviderError} the refusals of `RespondToAuthChallenge`
 */
export async function advance(
  context: PoolRuntime,
  scope: PoolAndClient,
  input: Pick<Input<'RespondToAuthChallenge'>, 'ChallengeName' | 'ChallengeResponses' | 'Session'>,
  { sourceAddress }: CallContext,
): Promise<AuthResponse> {
  const [named] = challengesOnWire(input.ChallengeName);
  if (named === undefined) throw otherChallenge();
  const sent = present(input.ChallengeResponses);
  requireKeys(sent, ['USERNAME']);
  const pending = openPending(context, scope, named.carrier, { session: input.Session, responses: sent });
  const { session } = pending;
  if (!takesAnswerOf(session, named.wireName)) throw otherChallenge();
  requireSameUser(scope, pending, sent);
  checkSecretHash(context, scope, [sent.USERNAME ?? '', session.typedName, session.userId], sent.SECRET_HASH);
  requireKeys(sent, CHALLENGES[named.wireName].answer.required);
  const factor = factorOf(scope, session, named.wireName, sent);
  return takeAgain({ context, ...scope, nowMs: context.clock.now(), sourceAddress, sent }, factor, pending);
}

const LIST = POOL_CHALLENGES.SELECT_CHALLENGE.name;

/** The pending challenge takes its own answers; a list of choices also the answer to what could be chosen from it. */
function takesAnswerOf({ challenge }: Session, wireName: ChallengeName): boolean {
  return challengesOnWire(wireName).some(
    ({ name, answersChoice }) => name === challenge || (answersChoice && challenge === LIST),
  );
}

function factorOf(
  { pool }: PoolAndClient,
  { challenge }: Session,
  wireName: ChallengeName,
  sent: Parameters,
): Challenge {
  if (challenge === LIST) return chosenFactor(pool.settings, (wireName === LIST ? sent.ANSWER : wireName) ?? '', sent);
  const pending = challengesOnWire(wireName).find(({ name }) => name === challenge);
  if (pending === undefined) throw otherChallenge();
  return pending;
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
