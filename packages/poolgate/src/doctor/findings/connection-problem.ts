import type { ProviderError } from '@poolgate/provider';
import { type CognitoCallFailure, cognitoCallFailure } from '@poolgate/provider-cognito';
import { createFault, type Finding } from './finding.ts';

type Kind = CognitoCallFailure['kind'];

const REACH = 'Check IDP_ENDPOINT and IDP_REGION, and that this machine can connect to them.';

/** Problems of an endpoint with their fixes. Errors about a single request are not among them. */
const PROBLEMS: Partial<Readonly<Record<Kind, readonly [finding: string, advice: string]>>> = {
  unsent: ['cannot be reached', REACH],
  lost: ['closed the connection', REACH],
  slow: ['did not respond in time', `${REACH} A proxy in between may hold the request.`],
  broken: ['returned a server error', 'Contact its operator. Nothing on this side can fix it.'],
  throttled: [
    'returned too many requests',
    'Try again later. If replicas or other applications share the account, set IDP_QUOTA_PERCENT.',
  ],
  open: ['failed repeatedly, so this check skipped it', 'Fix the other failures of this check first.'],
  nonsense: [
    'returned a response that is not from the Cognito API',
    'Check that IDP_ENDPOINT is the user pools API and not a web page, proxy or another service.',
  ],
};

/**
 * What a failed call shows about the provider as a whole; undefined if it refused only this call.
 * @param endpoint the provider's address
 */
export function findConnectionProblem(error: ProviderError, endpoint: string): Finding | undefined {
  const found = cognitoCallFailure(error);
  const said = found && PROBLEMS[found.kind];
  if (found === undefined || said === undefined) return undefined;
  const what = found.awsError ?? found.member ?? found.awsStatus;
  return createFault(`${endpoint} ${said[0]}${what === undefined ? '' : ` (${what})`}.`, said[1]);
}
