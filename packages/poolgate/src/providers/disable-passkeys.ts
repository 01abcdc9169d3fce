import {
  type CallContext,
  type IdentityProvider,
  type Input,
  type Output,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';

const PASSKEY_CHALLENGE = 'WEB_AUTHN';

type LoginStep = Output<'InitiateAuth'>;

/**
 * Returns the same provider without passkey logins. It offers no passkey, and clients that request one receive the other choices. The
 * pool's description has no passkeys, which closes the routes that register them.
 */
export function disablePasskeys(provider: IdentityProvider): IdentityProvider {
  const { initiateAuth, respondToAuthChallenge } = provider.operations;
  const operations: ProviderOperations = {
    ...provider.operations,
    initiateAuth: async (input, call) => dropPasskeyChoices(await initiateAuth(dropPasskeyPreference(input), call)),
    respondToAuthChallenge: (input, call) => respondWithoutPasskeys(respondToAuthChallenge, input, call),
  };
  return {
    operations,
    extensions: provider.extensions,
    recordsEvents: provider.recordsEvents,
    recordsRevocations: provider.recordsRevocations,
    ...(provider.readTokenState && { readTokenState: provider.readTokenState }),
    async describe(userPoolId) {
      const pool = await provider.describe(userPoolId);
      if (pool === undefined) return undefined;
      const without = (names: typeof pool.challenges) => names.filter((name) => name !== PASSKEY_CHALLENGE);
      const { challenges, firstFactors } = pool;
      return { ...pool, passkeys: null, challenges: without(challenges), firstFactors: without(firstFactors) };
    },
    signingKeys: (userPoolId) => provider.signingKeys(userPoolId),
    poolOfClient: (clientId) => provider.poolOfClient(clientId),
    readSecretBlock: (input) => provider.readSecretBlock(input),
  };
}

function dropPasskeyPreference(input: Input<'InitiateAuth'>): Input<'InitiateAuth'> {
  const { PREFERRED_CHALLENGE, ...rest } = input.AuthParameters ?? {};
  return PREFERRED_CHALLENGE === PASSKEY_CHALLENGE ? { ...input, AuthParameters: rest } : input;
}

async function respondWithoutPasskeys(
  answer: ProviderOperations['respondToAuthChallenge'],
  input: Input<'RespondToAuthChallenge'>,
  call: CallContext,
): Promise<Output<'RespondToAuthChallenge'>> {
  if (input.ChallengeName === PASSKEY_CHALLENGE || input.ChallengeResponses?.ANSWER === PASSKEY_CHALLENGE) {
    throw new ProviderError('InvalidParameterException', 'The challenge is not offered.', {
      reason: 'challenge_mismatch',
    });
  }
  return dropPasskeyChoices(await answer(input, call));
}

function dropPasskeyChoices<Given extends LoginStep>(step: Given): Given {
  const { AvailableChallenges } = step;
  if (AvailableChallenges === undefined) return step;
  return { ...step, AvailableChallenges: AvailableChallenges.filter((name) => name !== PASSKEY_CHALLENGE) };
}
