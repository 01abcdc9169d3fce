import {
  type CallContext,
  ERRORS,
  type IdentityProvider,
  OPERATIONS,
  type OperationName,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';
import { type CognitoCallFailure, cognitoCallFailure } from '@poolgate/provider-cognito';
import type { WriteLine } from '../log-line.ts';

type Operation = (input: unknown, context: CallContext) => Promise<unknown>;

/**
 * The same provider; its faults are written down, with AWS's name of the error and the id of its request and never with
 * its words. A refusal of what a user sent is none.
 */
export function loggingProvider(provider: IdentityProvider, log: WriteLine): IdentityProvider {
  const operations = provider.operations as unknown as Readonly<Record<string, Operation>>;
  const logged = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const operation = operations[method];
    if (operation === undefined) throw new TypeError(`provider: has no operation ${method}`);
    return [method, loggingOperation(log, name, operation)];
  });
  return {
    operations: Object.fromEntries(logged) as ProviderOperations,
    extensions: provider.extensions,
    recordsEvents: provider.recordsEvents,
    recordsRevocations: provider.recordsRevocations,
    describe: (userPoolId) => provider.describe(userPoolId),
    signingKeys: (userPoolId) => loggingKeys(provider, log, userPoolId),
    poolOfClient: (clientId) => provider.poolOfClient(clientId),
  };
}

function loggingOperation(log: WriteLine, name: OperationName, operation: Operation): Operation {
  return async (input, context) => {
    try {
      return await operation(input, context);
    } catch (error) {
      const fault = cognitoCallFailure(error);
      if (fault !== undefined && isForOperator(fault, error)) {
        log('warn', 'A call to Amazon Cognito failed.', {
          requestId: context.requestId,
          operation: name,
          ...facts(fault),
        });
      }
      throw error;
    }
  };
}

async function loggingKeys(provider: IdentityProvider, log: WriteLine, userPoolId: string) {
  try {
    return await provider.signingKeys(userPoolId);
  } catch (error) {
    if (error instanceof ProviderError)
      log('warn', 'The signing keys of the pool cannot be read.', { reason: error.reason });
    throw error;
  }
}

function facts({
  kind,
  awsError,
  awsStatus,
  awsRequestId,
  member,
}: CognitoCallFailure): Readonly<Record<string, unknown>> {
  return { failure: kind, member, aws_error: awsError, aws_status: awsStatus, aws_request_id: awsRequestId };
}

/** Refusals of a caller for which no caller can do anything. */
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
