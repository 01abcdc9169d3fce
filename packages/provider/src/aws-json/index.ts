export { answerError } from './answer.ts';
export { answerPreflight } from './cors.ts';
export type { AwsJson, AwsJsonOptions } from './endpoint.ts';
export { createAwsJson, operationOf } from './endpoint.ts';
export type { WireAnswer, WireHeaders, WireRequest } from './messages.ts';
export type { ProtocolErrorName } from './wire-error.ts';
export { PROTOCOL_ERRORS, WireError } from './wire-error.ts';
