import type { ErrorCode } from '@poolgate/contract';
import { ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import { convertProviderError, GatewayError, toErrorCode } from '../kernel/gateway-errors.ts';

/** The error code for each resource that may be missing. */
export type MissingCodes = Partial<Record<NonNullable<ProviderError['reason']>, ErrorCode>> & {
  /** Used if the provider does not say what is missing. */
  readonly other?: ErrorCode;
};

/** Errors about a value, which an administrator must be able to identify. */
const REFUSED_VALUES: ReadonlySet<ProviderErrorCode> = new Set([
  'InvalidParameterException',
  'InvalidOAuthFlowException',
  'LimitExceededException',
  'ScopeDoesNotExistException',
]);

/**
 * Awaits a call that reads or changes pool settings. If the provider refuses a value, the response has its own message about settings
 * instead of users.
 * @throws {GatewayError} for every error of the provider
 */
export async function explainPoolRefusals<T>(call: Promise<T>, missing: MissingCodes): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw toPoolError(error, missing);
  }
}

function toPoolError(error: ProviderError, missing: MissingCodes): GatewayError {
  const named = error.reason === undefined ? undefined : missing[error.reason];
  const code = named ?? (error.code === 'ResourceNotFoundException' ? missing.other : undefined);
  if (code !== undefined) return new GatewayError(code, undefined, { cause: error });
  if (!REFUSED_VALUES.has(error.code)) return convertProviderError(error);
  const isFixed = toErrorCode(error) === 'feature_disabled' && error.reason !== undefined;
  // Amazon Cognito's own message is not kept, and a class name would not help.
  const detail = error.message === error.code ? undefined : error.message;
  return new GatewayError(isFixed ? 'feature_disabled' : 'invalid_parameter', detail, { cause: error });
}
