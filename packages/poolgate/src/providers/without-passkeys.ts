import {
  type CallContext,
  type IdentityProvider,
  type Input,
  type Output,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';

const PASSKEY = 'WEB_AUTHN';

type Step = Output<'InitiateAuth'>;

/**
 * The same provider without logins by passkey: nobody is offered one, and who asks for one gets the choice of what else
 * there is. The pool's description has no passkeys, which closes the routes that register them.
 */
export function withoutPasskeys(provider: IdentityProvider): IdentityProvider {
  const { initiateAuth, respondToAuthChallenge } = provider.operations;
  const operations: ProviderOperations = {
    ...provider.operations,
    initiateAuth: async (input, context) => offered(await initiateAuth(withoutPreference(input), context)),
    respondToAuthChallenge: (input, context) => respond(respondToAuthChallenge, input, context),
  };
  return {
    operations,
    extensions: provider.extensions,
    recordsEvents: provider.recordsEvents,
    recordsRevocations: provider.recordsRevocations,
    async describe(userPoolId) {
      const pool = await provider.describe(userPoolId);
      if (pool === undefined) return undefined;
      const without = (names: typeof pool.challenges) => names.filter((name) => name !== PASSKEY);
      const { challenges, firstFactors } = pool;
      return { ...pool, passkeys: null, challenges: without(challenges), firstFactors: without(firstFactors) };
    },
    signingKeys: (userPoolId) => provider.signingKeys(userPoolId),
    poolOfClient: (clientId) => provider.poolOfClient(clientId),
  };
}

function withoutPreference(input: Input<'InitiateAuth'>): Input<'InitiateAuth'> {
  const { PREFERRED_CHALLENGE, ...rest } = input.AuthParameters ?? {};
  return PREFERRED_CHALLENGE === PASSKEY ? { ...input, AuthParameters: rest } : input;
}

async function respond(
  answer: ProviderOperations['respondToAuthChallenge'],
  input: Input<'RespondToAuthChallenge'>,
  context: CallContext,
): Promise<Output<'RespondToAuthChallenge'>> {
  if (input.ChallengeName === PASSKEY || input.ChallengeResponses?.ANSWER === PASSKEY) {
    throw new ProviderError('InvalidParameterException', 'The challenge is not offered.', {
      reason: 'challenge_mismatch',
    });
  }
  return offered(await answer(input, context));
}

function offered<Given extends Step>(step: Given): Given {
  const { AvailableChallenges } = step;
  if (AvailableChallenges === undefined) return step;
  return { ...step, AvailableChallenges: AvailableChallenges.filter((name) => name !== PASSKEY) };
}
