import type { ErrorCode } from '@poolgate/contract';
import { ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import { convertProviderError, GatewayError, toErrorCode } from '../kernel/gateway-errors.ts';

/** What it means that something which a request names does not exist. */
export type MissingCodes = Partial<Record<NonNullable<ProviderError['reason']>, ErrorCode>> & {
  /** Where the provider does not say what is missing. */
  readonly other?: ErrorCode;
};

/** Refusals of a value: an administrator has to know which one. */
const REFUSED_VALUES: ReadonlySet<ProviderErrorCode> = new Set([
  'InvalidParameterException',
  'InvalidOAuthFlowException',
  'LimitExceededException',
  'ScopeDoesNotExistException',
]);

/**
 * Awaits a call that reads or changes settings of the pool. Where the provider refuses a value, the answer has its own words:
 * they are about settings, not about users.
 * @throws {GatewayError} for every refusal by the provider
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
  // Amazon Cognito's own words are not kept, and a name of a class tells nobody anything.
  const detail = error.message === error.code ? undefined : error.message;
  return new GatewayError(isFixed ? 'feature_disabled' : 'invalid_parameter', detail, { cause: error });
}
