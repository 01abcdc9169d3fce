import {
  ERRORS,
  type IdentityProvider,
  type Operation,
  type OperationName,
  ProviderError,
  wrapOperations,
} from '@poolgate/provider';
import { type CognitoCallFailure, cognitoCallFailure } from '@poolgate/provider-cognito';
import type { WriteLogLine } from '../process/log-line.ts';

/**
 * Returns the same provider and logs its failures, with AWS's error name and request id but never AWS's message. Rejected user input is not
 * a failure.
 */
export function logProviderFailures(provider: IdentityProvider, log: WriteLogLine): IdentityProvider {
  return {
    ...wrapOperations(provider, (name, operation) => logOperationFailures(log, name, operation)),
    signingKeys: (userPoolId) => logSigningKeyFailures(provider, log, userPoolId),
  };
}

function logOperationFailures<Name extends OperationName>(
  log: WriteLogLine,
  name: Name,
  operation: Operation<Name>,
): Operation<Name> {
  return async (input, call) => {
    try {
      return await operation(input, call);
    } catch (error) {
      const fault = cognitoCallFailure(error);
      if (fault !== undefined && isForOperator(fault, error)) {
        log('warn', 'A call to Amazon Cognito failed.', {
          requestId: call.requestId,
          operation: name,
          ...toLogFields(fault),
        });
      }
      throw error;
    }
  };
}

async function logSigningKeyFailures(provider: IdentityProvider, log: WriteLogLine, userPoolId: string) {
  try {
    return await provider.signingKeys(userPoolId);
  } catch (error) {
    if (error instanceof ProviderError)
      log('warn', 'The signing keys of the pool cannot be read.', { reason: error.reason });
    throw error;
  }
}

function toLogFields({
  kind,
  awsError,
  awsStatus,
  awsRequestId,
  member,
}: CognitoCallFailure): Readonly<Record<string, unknown>> {
  return { failure: kind, member, aws_error: awsError, aws_status: awsStatus, aws_request_id: awsRequestId };
}

/** Errors of a caller that no caller can fix. */
const OPERATOR_REASONS: ReadonlySet<string | undefined> = new Set([
  'client_not_found',
  'client_secret',
  'flow_disabled',
  'pool_not_found',
]);

function isForOperator({ kind }: CognitoCallFailure, error: unknown): boolean {
  if (kind !== 'refused') return true;
  return error instanceof ProviderError && (ERRORS[error.code] === 'setup' || OPERATOR_REASONS.has(error.reason));
}
