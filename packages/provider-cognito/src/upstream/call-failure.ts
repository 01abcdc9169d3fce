import { ProviderError } from '@poolgate/provider';
import { type FailureKind, UpstreamFailure } from './upstream-failure.ts';

/** What is known of a call that failed, as far as it may be written down: names and numbers, and nothing that AWS says in words. */
export interface CognitoCallFailure {
  /** `refused` is an answer to what was sent; everything else is a fault of the service, the way to it, or its credentials. */
  readonly kind: FailureKind;
  /** AWS's name of the error, e.g. `NotAuthorizedException`. */
  readonly awsError?: string;
  /** The HTTP status of the answer. */
  readonly awsStatus?: number;
  /** Which member of the answer made no sense, e.g. `AuthenticationResult.ExpiresIn`. */
  readonly member?: string;
  /** AWS's id of the request, for its support. */
  readonly awsRequestId?: string;
}

/** What is known of a failure of this provider; undefined for an error that did not come of a call. */
export function cognitoCallFailure(error: unknown): CognitoCallFailure | undefined {
  const failure = error instanceof ProviderError ? error.cause : undefined;
  if (!(failure instanceof UpstreamFailure)) return undefined;
  const { name, member, status, awsRequestId } = failure.details;
  return {
    kind: failure.kind,
    ...(name === undefined ? {} : { awsError: name }),
    ...(member === undefined ? {} : { member }),
    ...(status === undefined ? {} : { awsStatus: status }),
    ...(awsRequestId === undefined ? {} : { awsRequestId }),
  };
}
