import { ProviderError } from '@poolgate/provider';

const MAX_MESSAGE = 1_024;

/** Cognito's message if a function does not respond in time. */
export const LAMBDA_TIMEOUT_MESSAGE = 'Socket timeout while invoking Lambda function';

/** The function refused. Its own message is passed to the caller, so it is reduced to one line of limited length. */
export function triggerRefusedError(name: string, message: string): ProviderError {
  const shown = message
    .slice(0, MAX_MESSAGE)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return new ProviderError('UserLambdaValidationException', `${name} failed with error ${shown}.`);
}

/** The function's decision is unknown: it could not be called, or did not respond. */
export function triggerCallFailedError(name: string, why: string): ProviderError {
  const message = `${name} invocation failed due to error ${why}.`;
  return new ProviderError(
    'UnexpectedLambdaException',
    message,
    why === LAMBDA_TIMEOUT_MESSAGE ? { reason: 'provider_timeout' } : {},
  );
}

/** The response is not JSON. */
export function triggerResponseNotJsonError(): ProviderError {
  return new ProviderError('InvalidLambdaResponseException', 'Invalid lambda function output : Invalid JSON');
}

/** The response does not have this trigger's shape. */
export function invalidTriggerResponseError(): ProviderError {
  return new ProviderError('InvalidLambdaResponseException', 'Unrecognizable lambda output');
}
