import { CHALLENGES, type ChallengeRow, type Input } from '@poolgate/provider';
import { checkSecretHash, type PoolAndClient } from '../pools/pools.ts';
import { wrongChallenge } from '../shared/login-errors.ts';
import type { ChallengeSession } from './challenge-session.ts';
import type { Challenge, ParameterMap } from './challenges/challenge.ts';
import { challengesByCognitoName, POOL_CHALLENGES } from './challenges/index.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import { chosenFactor } from './chosen-factor.ts';
import { answerCustomChallenge } from './custom-answer.ts';
import { answerFactor } from './judge.ts';
import { openPendingSession, requireSameLoginName } from './pending-session.ts';
import type { AuthResponse } from './respond.ts';
import { requireKeys, withoutEmptyParameters } from './sent-parameters.ts';

/**
 * Takes the answer to a pending challenge, by whichever operation the login was started.
 * @throws {ProviderError} the refusals of `RespondToAuthChallenge`
 */
export async function answerChallenge(
  ports: LoginPorts,
  scope: PoolAndClient,
  input: Pick<Input<'RespondToAuthChallenge'>, 'ChallengeName' | 'ChallengeResponses' | 'ClientMetadata' | 'Session'>,
): Promise<AuthResponse> {
  const answerable = challengesByCognitoName(input.ChallengeName);
  const [named] = answerable;
  if (named === undefined) throw wrongChallenge();
  const sent = withoutEmptyParameters(input.ChallengeResponses);
  requireKeys(sent, ['USERNAME']);
  const pending = openPendingSession(ports, scope, named.carrier, { session: input.Session, responses: sent });
  const { session } = pending;
  const accepting = answerable.find((challenge) => acceptsAnswer(challenge, session));
  if (accepting === undefined) throw wrongChallenge();
  requireSameLoginName(scope, pending, sent);
  checkSecretHash(ports, scope, [sent.USERNAME ?? '', session.typedName, session.userId], sent.SECRET_HASH);
  requireKeys(sent, requiredIn(CHALLENGES[named.cognitoName], sent));
  const factor = session.challenge === LIST.name ? factorOfChoice(scope, accepting, sent) : accepting;
  const { ClientMetadata: clientMetadata } = input;
  const { custom } = session;
  const request = { ports, ...scope, nowMs: ports.clock.now(), sent, clientMetadata, custom };
  if (factor.judgedByTriggers) return answerCustomChallenge(request, pending);
  return answerFactor(request, factor, { pending });
}

/** What must be there: where the other form of an answer was begun, its keys. */
function requiredIn({ answer, instead = {} }: ChallengeRow, sent: ParameterMap): readonly string[] {
  return answer.required.flatMap((key) => {
    const others = Object.hasOwn(sent, key) ? [] : (instead[key] ?? []);
    return others.some((other) => Object.hasOwn(sent, other)) ? others : [key];
  });
}

const LIST = POOL_CHALLENGES.SELECT_CHALLENGE;

/** The pending challenge takes its own answers; a list of choices also the answer to what could be chosen from it. */
function acceptsAnswer({ name, answersChoice }: Challenge, { challenge }: ChallengeSession): boolean {
  return name === challenge || (answersChoice && challenge === LIST.name);
}

function factorOfChoice({ pool }: PoolAndClient, answered: Challenge, sent: ParameterMap): Challenge {
  return chosenFactor(pool.settings, (answered === LIST ? sent.ANSWER : answered.cognitoName) ?? '', sent);
}
