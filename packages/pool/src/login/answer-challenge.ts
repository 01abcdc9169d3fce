/**
 * A login from its start to tokens. `start-login` starts it, and `answer-challenge` accepts each answer. `decide-answer` makes one write:
 * it counts the attempt, reads user and factors again, consumes the code and spends the session. `next-step` is the pure table of what
 * follows. An unfinished login has no row; the client holds its encrypted state.
 */
import { CHALLENGES, type ChallengeRow, type Input } from '@poolgate/provider';
import { wrongChallengeError } from '../identity/login-errors.ts';
import { checkSecretHash, type PoolAndClient } from '../settings/pools-and-clients.ts';
import { answerCustomChallenge } from './answer-custom-challenge.ts';
import { answerFactor } from './answer-factor.ts';
import { requireParameters, withoutEmptyParameters } from './auth-parameters.ts';
import type { AuthResponse } from './auth-response.ts';
import type { ChallengeSession } from './challenge-session.ts';
import type { Challenge, ParameterMap } from './challenges/challenge.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import { listChallengesByCognitoName, POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import { resolveChosenFactor } from './chosen-factor.ts';
import { requirePendingSession, requireSameLoginName } from './pending-session.ts';

/**
 * Accepts the answer to a pending challenge, whichever operation started the login.
 * @throws {ProviderError} the errors of `RespondToAuthChallenge`
 */
export async function answerChallenge(
  ports: LoginPorts,
  scope: PoolAndClient,
  input: Pick<Input<'RespondToAuthChallenge'>, 'ChallengeName' | 'ChallengeResponses' | 'ClientMetadata' | 'Session'>,
): Promise<AuthResponse> {
  const answerable = listChallengesByCognitoName(input.ChallengeName);
  const [named] = answerable;
  if (named === undefined) throw wrongChallengeError();
  const sent = withoutEmptyParameters(input.ChallengeResponses);
  requireParameters(sent, ['USERNAME']);
  const pending = requirePendingSession(ports, scope, named.carrier, { session: input.Session, responses: sent });
  const { session } = pending;
  const accepting = answerable.find((challenge) => acceptsAnswer(challenge, session));
  if (accepting === undefined) throw wrongChallengeError();
  requireSameLoginName(scope, pending, sent);
  checkSecretHash(ports, scope, [sent.USERNAME ?? '', session.typedName, session.userId], sent.SECRET_HASH);
  requireParameters(sent, listRequiredKeys(CHALLENGES[named.cognitoName], sent));
  const factor = session.challenge === CHOICE_LIST.name ? resolveAnsweredFactor(scope, accepting, sent) : accepting;
  const { ClientMetadata: clientMetadata } = input;
  const { custom, target } = session;
  const request = { ports, ...scope, nowMs: ports.clock.now(), sent, clientMetadata, custom, target };
  if (factor.isVerifiedByTriggers) return answerCustomChallenge(request, pending);
  return answerFactor(request, factor, { pending });
}

/** Lists the required keys. If the answer uses the alternative form, these are its keys. */
function listRequiredKeys({ answer, instead = {} }: ChallengeRow, sent: ParameterMap): readonly string[] {
  return answer.required.flatMap((key) => {
    const others = Object.hasOwn(sent, key) ? [] : (instead[key] ?? []);
    return others.some((other) => Object.hasOwn(sent, other)) ? others : [key];
  });
}

const CHOICE_LIST = POOL_CHALLENGES.SELECT_CHALLENGE;

/** A pending challenge accepts its own answers. A list of choices also accepts the answer of a challenge that could be chosen from it. */
function acceptsAnswer({ name, answersChoice }: Challenge, { challenge }: ChallengeSession): boolean {
  return name === challenge || (answersChoice && challenge === CHOICE_LIST.name);
}

function resolveAnsweredFactor({ pool }: PoolAndClient, answered: Challenge, sent: ParameterMap): Challenge {
  return resolveChosenFactor(
    pool.settings,
    (answered === CHOICE_LIST ? sent.ANSWER : answered.cognitoName) ?? '',
    sent,
  );
}
