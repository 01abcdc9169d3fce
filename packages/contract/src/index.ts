export { CHALLENGE_NAMES, type ChallengeName } from './challenge-names.ts';
/** @deprecated Use {@link checkSchema}. */
export { checkSchema, checkSchema as check } from './check-schema.ts';
export { assertedCredential, createdCredential } from './credential-schemas.ts';
export { ERRORS, type ErrorCode, type ErrorDefinition, errorType, type FieldError } from './error-codes.ts';
export { passwordVerifier } from './field-schemas.ts';
/** @deprecated Use {@link createOpenApiDocument}. */
/** @deprecated Use {@link listPathParameters}. */
export {
  CONTRACT_VERSION,
  createOpenApiDocument,
  createOpenApiDocument as openApiDocument,
  type Json,
  listPathParameters,
  listPathParameters as namesInPath,
  type OpenApiDocument,
  type OpenApiInfo,
} from './openapi.ts';
export { type Address, type Method, NO_BODY, type ResponseDefinition, type Route } from './route-definition.ts';
/** @deprecated Use {@link findWebRoutePrefix}. */
/** @deprecated Use {@link listAddresses}. */
/** @deprecated Use {@link listErrorCodes}. */
export {
  type AnyRouteName,
  findWebRoutePrefix,
  findWebRoutePrefix as prefixOfWebRoute,
  isUnderWebPrefix,
  listAddresses,
  listAddresses as addressesOf,
  listErrorCodes,
  listErrorCodes as errorsOf,
  ROUTES,
  type RouteName,
  WEB_ROUTES,
  type WebRouteName,
} from './route-table.ts';
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
