import { ProviderError } from '@poolgate/provider';

const MAX_MESSAGE = 1_024;

/** What Cognito says where a function does not answer in time. */
export const LAMBDA_TIMEOUT_MESSAGE = 'Socket timeout while invoking Lambda function';

/** The function refused, in its own words; they go to the caller, so they are one line and not endless. */
export function triggerRefusedError(name: string, message: string): ProviderError {
  const shown = message
    .slice(0, MAX_MESSAGE)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return new ProviderError('UserLambdaValidationException', `${name} failed with error ${shown}.`);
}

/** Nobody knows what the function would have said: it could not be called, or did not answer. */
export function triggerCallFailedError(name: string, why: string): ProviderError {
  const message = `${name} invocation failed due to error ${why}.`;
  return new ProviderError(
    'UnexpectedLambdaException',
    message,
    why === LAMBDA_TIMEOUT_MESSAGE ? { reason: 'provider_timeout' } : {},
  );
}

/** The answer is no JSON. */
export function triggerResponseNotJsonError(): ProviderError {
  return new ProviderError('InvalidLambdaResponseException', 'Invalid lambda function output : Invalid JSON');
}

/** The answer is not of the shape that this trigger gives. */
export function invalidTriggerResponseError(): ProviderError {
  return new ProviderError('InvalidLambdaResponseException', 'Unrecognizable lambda output');
}
