export { CHALLENGE_NAMES, type ChallengeName } from './challenges.ts';
export { check } from './check.ts';
export { assertedCredential, createdCredential } from './credentials.ts';
export { ERRORS, type ErrorCode, type ErrorDefinition, errorType, type FieldError } from './errors.ts';
export { passwordVerifier } from './fields.ts';
export {
  CONTRACT_VERSION,
  type Json,
  namesInPath,
  type OpenApiDocument,
  type OpenApiInfo,
  openApiDocument,
} from './openapi.ts';
export { type Address, type Method, NO_BODY, type ResponseDefinition, type Route } from './route.ts';
export {
  type AnyRouteName,
  addressesOf,
  errorsOf,
  isUnderWebPrefix,
  prefixOfWebRoute,
  ROUTES,
  type RouteName,
  WEB_ROUTES,
  type WebRouteName,
} from './routes.ts';
export type {
  AnyOfSchema,
  ArraySchema,
  BooleanSchema,
  IntegerSchema,
  MapSchema,
  NullSchema,
  ObjectSchema,
  Schema,
  Static,
  StringSchema,
} from './schema.ts';
