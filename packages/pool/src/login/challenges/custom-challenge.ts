import { requiredTrigger } from '../../triggers/configured.ts';
import type { CreatedChallenge, CustomRequest } from '../../triggers/custom-auth.ts';
import { invokeTrigger } from '../../triggers/invoke-trigger.ts';
import { triggerAttributes } from '../../users/trigger-attributes.ts';
import type { AnswerStep, Challenge, LoginStepContext } from './challenge.ts';

/** What a challenge of a trigger keeps for the one that looks at the answer. */
type KeptChallenge = Pick<CreatedChallenge, 'metadata' | 'privateParameters'>;

/** What one trigger makes and another one judges. Its answer proves nothing by itself: what it is worth a third one says. */
export const customChallenge: Challenge = {
  name: 'CUSTOM_CHALLENGE',
  cognitoName: 'CUSTOM_CHALLENGE',
  counter: undefined,
  spentBy: 'attempt',
  judgedByTriggers: true,
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  isOffered: ({ kept }) => kept?.LambdaConfig?.DefineAuthChallenge !== undefined,
  async issue(step) {
    const { ports, pool, client, candidate, custom = [] } = step;
    const { publicParameters, ...kept } = await invokeTrigger(
      ports,
      requiredTrigger(pool.settings, 'CreateAuthChallenge'),
      {
        pool,
        clientId: client.id,
        source: 'CreateAuthChallenge_Authentication',
        userName: candidate.userId,
        request: { ...customRequest(step), challengeName: 'CUSTOM_CHALLENGE', session: custom },
      },
    );
    const state = Buffer.from(JSON.stringify(kept satisfies KeptChallenge));
    return { parameters: { ...publicParameters, USERNAME: candidate.userId }, state };
  },
  judge() {
    throw new TypeError('Triggers judge the answers to a custom challenge');
  },
};

/** What is told about whoever logs in; for a name that nobody has, that. */
export function customRequest({ candidate, clientMetadata }: LoginStepContext): CustomRequest {
  const user = candidate.found?.user;
  return {
    userAttributes: user === undefined ? {} : triggerAttributes(user),
    clientMetadata,
    userNotFound: user === undefined ? true : undefined,
  };
}

/**
 * Asks whether an answer is right.
 * @returns that, and what the challenge is called
 */
export async function judgeCustomAnswer(step: AnswerStep) {
  const { ports, pool, client, candidate, sent } = step;
  const { metadata, privateParameters } = JSON.parse(Buffer.from(step.state).toString()) as KeptChallenge;
  const isRight = await invokeTrigger(ports, requiredTrigger(pool.settings, 'VerifyAuthChallengeResponse'), {
    pool,
    clientId: client.id,
    source: 'VerifyAuthChallengeResponse_Authentication',
    userName: candidate.userId,
    request: {
      ...customRequest(step),
      privateChallengeParameters: privateParameters,
      challengeAnswer: sent.ANSWER ?? '',
    },
  });
  return { isRight, metadata };
}
