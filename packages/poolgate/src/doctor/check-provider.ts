import { type CallContext, ProviderError, type PublicKey, type RefusalReason } from '@poolgate/provider';
import { cognitoCallFailure } from '@poolgate/provider-cognito';
import { startClient } from '@poolgate/srp';
import { findConnectionProblem } from './findings/connection-problem.ts';
import { createFault, createOkFinding, createWarning, type Finding } from './findings/finding.ts';
import { createUnusedUsername } from './findings/unused-username.ts';
import type { CheckedProvider, CheckUpInput } from './subjects/checked-provider.ts';

/** Whether the keys that sign tokens are available. */
export async function checkSigningKeys({ provider, userPoolId, jwksUrl }: CheckedProvider): Promise<Finding> {
  try {
    const keys = await provider.signingKeys(userPoolId);
    if (keys !== undefined) return describeSigningKeys(keys);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
  return createFault(
    `The signing keys cannot be read${jwksUrl === undefined ? '' : ` at ${jwksUrl}`}, so no token can be verified.`,
    'Check IDP_USER_POOL_ID, IDP_REGION, IDP_ENDPOINT and IDP_JWKS_URL, and that this machine can connect to them.',
  );
}

/** Token verifiers must accept the algorithm of each published key. */
function describeSigningKeys(keys: readonly PublicKey[]): Finding {
  const published = `The provider publishes ${keys.length} signing keys`;
  if (!keys.some(({ alg }) => alg === 'ES256')) return createOkFinding(`${published}.`);
  const algorithms = [...new Set(keys.map(({ alg }) => alg))].sort();
  return createWarning(
    `${published}, for ${algorithms.join(' and ')}. Verifiers that only accept RS256, as for Amazon Cognito, refuse tokens with ES256.`,
    'jose, aws-jwt-verify and @poolgate/client/server accept both. Check other verifiers against docs/reference/issuer.md#signing-algorithms, or set IDP_SIGNING_ALGORITHM=RS256.',
  );
}

const CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1' };

/** Why a login cannot start, by the reason of its error. */
const REFUSALS: Partial<Readonly<Record<RefusalReason, readonly [finding: string, advice: string]>>> = {
  client_not_found: ['The app client does not exist at the provider.', 'Check IDP_CLIENT_ID and IDP_REGION.'],
  client_secret: [
    'The secret of the app client is missing or wrong.',
    'Set IDP_CLIENT_SECRET to the secret of the app client, or unset it if the client has none.',
  ],
  flow_disabled: [
    'The app client does not allow SRP logins.',
    'Add ALLOW_USER_SRP_AUTH to the ExplicitAuthFlows of the app client.',
  ],
  pool_not_found: ['The user pool does not exist at the provider.', 'Check IDP_USER_POOL_ID and IDP_REGION.'],
};

/** Whether a login can start, tested with a username that no user has, so that no one is disturbed. */
export async function checkAppClient(
  { provider, clientId, endpoint }: CheckedProvider,
  { engine, random }: CheckUpInput,
): Promise<Finding> {
  const { srpAHex } = startClient({ engine, random });
  const AuthParameters = { USERNAME: createUnusedUsername(random), SRP_A: srpAHex };
  try {
    await provider.operations.initiateAuth({ ClientId: clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters }, CALL);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const trouble = endpoint === undefined ? undefined : findConnectionProblem(error, endpoint);
    if (error.reason !== 'invalid_credentials') return trouble ?? toRefusalFinding(error);
  }
  return createOkFinding('The app client accepts SRP logins.');
}

function toRefusalFinding(error: ProviderError): Finding {
  const known = error.reason && REFUSALS[error.reason];
  if (known) return createFault(...known);
  const word = cognitoCallFailure(error)?.awsError ?? error.reason ?? error.code;
  return createFault(
    `Logins cannot start (${word}).`,
    'Check IDP_ENDPOINT and IDP_REGION, and that this machine can connect to them.',
  );
}
