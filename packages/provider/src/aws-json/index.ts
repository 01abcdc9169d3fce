export { preflightResponse } from './cors.ts';
export type { AwsJsonEndpoint, AwsJsonOptions } from './endpoint.ts';
export { createAwsJsonEndpoint, operationOf } from './endpoint.ts';
export type { AwsJsonRequest, AwsJsonResponse, HttpHeaders } from './http-messages.ts';
export type { ProtocolErrorName } from './protocol-error.ts';
export { PROTOCOL_ERRORS, ProtocolError } from './protocol-error.ts';
export { errorResponse } from './responses.ts';
