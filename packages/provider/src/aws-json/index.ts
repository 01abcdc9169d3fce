/**
 * AWS JSON 1.1 over any provider: requests are validated against Cognito's own model, and errors have Cognito's shape.
 */

export type { AwsJsonEndpoint, AwsJsonOptions } from './aws-json-endpoint.ts';
export {
  createAwsJsonEndpoint,
  findOperationName,
  /** @deprecated Use {@link findOperationName}. */
  findOperationName as operationOf,
} from './aws-json-endpoint.ts';
export { type Constraint, listSizeConstraints, listStringConstraints, listValueConstraints } from './constraints.ts';
export { preflightResponse } from './cors.ts';
export type { AwsJsonRequest, AwsJsonResponse, HttpHeaders } from './http-messages.ts';
export type { ProtocolErrorName } from './protocol-error.ts';
export { PROTOCOL_ERRORS, ProtocolError } from './protocol-error.ts';
export {
  toErrorResponse,
  /** @deprecated Use {@link toErrorResponse}. */
  toErrorResponse as errorResponse,
} from './responses.ts';
export { requireOperationModel, type Shape } from './service-model.ts';
