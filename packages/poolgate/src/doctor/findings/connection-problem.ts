import type { ProviderError } from '@poolgate/provider';
import { type CognitoCallFailure, cognitoCallFailure } from '@poolgate/provider-cognito';
import { createFault, type Finding } from './finding.ts';

type Kind = CognitoCallFailure['kind'];

const REACH = 'Check IDP_ENDPOINT and IDP_REGION, and that this machine may connect there.';

/** Problems of an endpoint with their fixes. Errors about a single request are not among them. */
const PROBLEMS: Partial<Readonly<Record<Kind, readonly [finding: string, advice: string]>>> = {
  unsent: ['cannot be reached', REACH],
  lost: ['breaks the connection', REACH],
  slow: ['does not answer in time', `${REACH} A proxy in between may hold the request.`],
  broken: ['answers that it failed itself', 'Whoever runs it has to look: nothing here can be changed about that.'],
  throttled: [
    'answers that there are too many requests',
    'Ask again later. Where replicas or other applications share the account, set IDP_QUOTA_PERCENT.',
  ],
  open: ['failed so often that it was not asked again', 'Fix the other failures of this check first.'],
  nonsense: [
    "answers what is no answer of Cognito's API",
    'Check that IDP_ENDPOINT is the API of user pools, and no page, proxy or other service.',
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
