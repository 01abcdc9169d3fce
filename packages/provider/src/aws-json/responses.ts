import { FAULTS, ProviderError } from '../provider-error.ts';
import { CORS_HEADERS } from './cors.ts';
import type { AwsJsonResponse } from './http-messages.ts';
import { ProtocolError } from './protocol-error.ts';

const MAX_HEADER_MESSAGE_LENGTH = 512;

/** The answer to an operation that succeeded: its output as JSON, or an empty body where the output is undefined. */
export function createSuccessResponse(output: unknown, requestId: string): AwsJsonResponse {
  return { status: 200, headers: createHeaders(requestId), body: output === undefined ? '' : JSON.stringify(output) };
}

/**
 * The answer to a refusal. It names the error in a header and in the body, since clients look in either.
 *
 * It carries no `Retry-After`: clients that retry a limit by themselves would wait for the time it names,
 * and a limit that lasts minutes would hang a sign-in that should fail at once.
 */
export function toErrorResponse(error: ProviderError | ProtocolError, requestId: string): AwsJsonResponse {
  return {
    status: error instanceof ProtocolError ? error.status : FAULTS[error.fault].status,
    headers: {
      ...createHeaders(requestId),
      'x-amzn-errortype': `${error.code}:`,
      'x-amzn-errormessage': toHeaderText(error.message),
    },
    body: JSON.stringify({ __type: error.code, message: error.message }),
  };
}

/** The answer to a defect: that there was one, and nothing of what it was. */
export function createInternalErrorResponse(requestId: string): AwsJsonResponse {
  return toErrorResponse(new ProviderError('InternalErrorException', 'Something went wrong'), requestId);
}

function createHeaders(requestId: string): Record<string, string> {
  return {
    ...CORS_HEADERS,
    // Answers carry tokens (RFC 6749 section 5.1).
    'cache-control': 'no-store',
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': requestId,
  };
}

function toHeaderText(message: string): string {
  const printable = message.replace(/[^\x20-\x7e]/g, '?').trim();
  return printable.slice(0, MAX_HEADER_MESSAGE_LENGTH);
}
