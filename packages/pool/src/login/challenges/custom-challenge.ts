import { toTriggerAttributes } from '../../identity/trigger-attributes.ts';
import { requireConfiguredTrigger } from '../../triggers/configured-triggers.ts';
import type { CreateAuthChallengeResponse, CustomAuthTriggerRequest } from '../../triggers/custom-auth-triggers.ts';
import { invokeTrigger } from '../../triggers/invoke-trigger.ts';
import type { AnswerStep, Challenge, LoginStep } from './challenge.ts';

/** A trigger's challenge data for the trigger that verifies the answer. */
type CustomChallengeState = Pick<CreateAuthChallengeResponse, 'metadata' | 'privateParameters'>;

/** One trigger creates the challenge and another verifies it. The answer proves nothing by itself; a third trigger decides its value. */
export const customChallenge: Challenge = {
  name: 'CUSTOM_CHALLENGE',
  cognitoName: 'CUSTOM_CHALLENGE',
  counter: undefined,
  spentBy: 'attempt',
  isVerifiedByTriggers: true,
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  isOffered: ({ kept }) => kept?.LambdaConfig?.DefineAuthChallenge !== undefined,
  async issue(step) {
    const { ports, pool, client, candidate, custom = [] } = step;
    const { publicParameters, ...kept } = await invokeTrigger(
      ports,
      requireConfiguredTrigger(pool.settings, 'CreateAuthChallenge'),
      {
        pool,
        clientId: client.id,
        source: 'CreateAuthChallenge_Authentication',
        userName: candidate.userId,
        request: { ...createCustomAuthRequest(step), challengeName: 'CUSTOM_CHALLENGE', session: custom },
      },
    );
    const state = Buffer.from(JSON.stringify(kept satisfies CustomChallengeState));
    return { parameters: { ...publicParameters, USERNAME: candidate.userId }, state };
  },
  verifyAnswer() {
    throw new TypeError('Triggers verify the answers to a custom challenge');
  },
};

/** The triggers' data about the user who is logging in, or that no such user exists. */
export function createCustomAuthRequest({ candidate, clientMetadata }: LoginStep): CustomAuthTriggerRequest {
  const user = candidate.found?.user;
  return {
    userAttributes: user === undefined ? {} : toTriggerAttributes(user),
    clientMetadata,
    userNotFound: user === undefined ? true : undefined,
  };
}

/**
 * Asks the trigger whether an answer is correct.
 * @returns the result and the name of the challenge
 */
export async function verifyCustomAnswer(step: AnswerStep) {
  const { ports, pool, client, candidate, sent } = step;
  const { metadata, privateParameters } = JSON.parse(Buffer.from(step.state).toString()) as CustomChallengeState;
  const isRight = await invokeTrigger(ports, requireConfiguredTrigger(pool.settings, 'VerifyAuthChallengeResponse'), {
    pool,
    clientId: client.id,
    source: 'VerifyAuthChallengeResponse_Authentication',
    userName: candidate.userId,
    request: {
      ...createCustomAuthRequest(step),
      privateChallengeParameters: privateParameters,
      challengeAnswer: sent.ANSWER ?? '',
    },
  });
  return { isRight, metadata };
}
