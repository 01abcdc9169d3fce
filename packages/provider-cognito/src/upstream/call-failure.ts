import { ProviderError } from '@poolgate/provider';
import { type FailureKind, UpstreamFailure } from './upstream-failure.ts';

/** The loggable facts of a failed call: names and numbers, but none of AWS's texts. */
export interface CognitoCallFailure {
  /** `refused` is a response to the request. Everything else is a failure of the service, the network or the credentials. */
  readonly kind: FailureKind;
  /** AWS's error name, such as `NotAuthorizedException`. */
  readonly awsError?: string;
  /** The HTTP status of the response. */
  readonly awsStatus?: number;
  /** The invalid member of the response, such as `AuthenticationResult.ExpiresIn`. */
  readonly member?: string;
  /** AWS's request id, for its support. */
  readonly awsRequestId?: string;
}

/** The facts of this provider's error; undefined for an error that no call caused. */
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
