import { toTriggerAttributes } from '../../identity/trigger-attributes.ts';
import { requireConfiguredTrigger } from '../../triggers/configured-triggers.ts';
import type { CreateAuthChallengeResponse, CustomAuthTriggerRequest } from '../../triggers/custom-auth-triggers.ts';
import { invokeTrigger } from '../../triggers/invoke-trigger.ts';
import type { AnswerStep, Challenge, LoginStep } from './challenge.ts';

/** What a challenge of a trigger keeps for the one that looks at the answer. */
type CustomChallengeState = Pick<CreateAuthChallengeResponse, 'metadata' | 'privateParameters'>;

/** What one trigger makes and another one verifies. Its answer proves nothing by itself: what it is worth a third one says. */
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

/** What is told about whoever logs in; for a name that nobody has, that. */
export function createCustomAuthRequest({ candidate, clientMetadata }: LoginStep): CustomAuthTriggerRequest {
  const user = candidate.found?.user;
  return {
    userAttributes: user === undefined ? {} : toTriggerAttributes(user),
    clientMetadata,
    userNotFound: user === undefined ? true : undefined,
  };
}

/**
 * Asks whether an answer is right.
 * @returns that, and what the challenge is called
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
