import { type AwsJsonResponse, findHeader, type HttpHeaders } from './http-messages.ts';

// Browser clients call the pool from any origin, and no cookie is ever read here. All origins are therefore allowed.
const ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;

/** Headers of every response except preflights. Without the second one, browser clients cannot read the error's name. */
export const CORS_HEADERS = {
  ...ANY_ORIGIN,
  'access-control-expose-headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
} as const;

const DEFAULT_ALLOWED_HEADERS = [
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'authorization',
  'cache-control',
  'content-type',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-target',
  'x-amz-user-agent',
].join(', ');

// A list of header names (RFC 9110 field-name), without anything that could end a header.
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;
const MAX_REQUESTED_HEADERS_LENGTH = 1024;

/**
 * Answers a browser's preflight (`OPTIONS`): any origin may `POST` with any headers.
 *
 * @param headers the request's headers, with lowercase names
 */
export function preflightResponse(headers: HttpHeaders): AwsJsonResponse {
  const requested = findHeader(headers, 'access-control-request-headers');
  return {
    status: 200,
    headers: {
      ...ANY_ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': isHeaderList(requested) ? requested : DEFAULT_ALLOWED_HEADERS,
      'access-control-max-age': '172800',
      vary: 'Access-Control-Request-Headers',
    },
    body: '',
  };
}

function isHeaderList(text: string | undefined): text is string {
  return text !== undefined && text.length <= MAX_REQUESTED_HEADERS_LENGTH && HEADER_NAMES.test(text);
}
