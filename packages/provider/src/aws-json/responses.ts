import { FAULTS, ProviderError } from '../provider-error.ts';
import { CORS_HEADERS } from './cors.ts';
import type { AwsJsonResponse } from './http-messages.ts';
import { ProtocolError } from './protocol-error.ts';

const MAX_HEADER_MESSAGE_LENGTH = 512;

/** Creates the response of a successful operation: its output as JSON, or an empty body for an undefined output. */
export function createSuccessResponse(output: unknown, requestId: string): AwsJsonResponse {
  return { status: 200, headers: createHeaders(requestId), body: output === undefined ? '' : JSON.stringify(output) };
}

/**
 * Creates the response to an error. It names the error in a header and in the body, because clients read either one.
 *
 * It has no `Retry-After`. Clients that retry limits automatically would wait for that time, and a limit of several minutes would hang a
 * sign-in that should fail at once.
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

/** Creates the response to a defect, without any detail. */
export function createInternalErrorResponse(requestId: string): AwsJsonResponse {
  return toErrorResponse(new ProviderError('InternalErrorException', 'Something went wrong'), requestId);
}

function createHeaders(requestId: string): Record<string, string> {
  return {
    ...CORS_HEADERS,
    // Responses contain tokens (RFC 6749 section 5.1).
    'cache-control': 'no-store',
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': requestId,
  };
}

function toHeaderText(message: string): string {
  const printable = message.replace(/[^\x20-\x7e]/g, '?').trim();
  return printable.slice(0, MAX_HEADER_MESSAGE_LENGTH);
}
