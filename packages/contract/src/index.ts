export { CHALLENGE_NAMES, type ChallengeName } from './challenge-names.ts';
export {
  checkSchema,
  /** @deprecated Use {@link checkSchema}. */
  checkSchema as check,
} from './check-schema.ts';
export { assertedCredential, createdCredential } from './credential-schemas.ts';
export { ERRORS, type ErrorCode, type ErrorDefinition, errorType, type FieldError } from './error-codes.ts';
export { passwordVerifier } from './field-schemas.ts';
export {
  CONTRACT_VERSION,
  createOpenApiDocument,
  /** @deprecated Use {@link createOpenApiDocument}. */
  createOpenApiDocument as openApiDocument,
  type Json,
  listPathParameters,
  /** @deprecated Use {@link listPathParameters}. */
  listPathParameters as namesInPath,
  type OpenApiDocument,
  type OpenApiInfo,
} from './openapi.ts';
export { type Address, type Method, NO_BODY, type ResponseDefinition, type Route } from './route-definition.ts';
export {
  type AnyRouteName,
  CONSOLE_ROUTES,
  type ConsoleRouteName,
  findReadRoute,
  findWebRoutePrefix,
  /** @deprecated Use {@link findWebRoutePrefix}. */
  findWebRoutePrefix as prefixOfWebRoute,
  hasEntityTag,
  isUnderConsolePrefix,
  isUnderWebPrefix,
  listAddresses,
  /** @deprecated Use {@link listAddresses}. */
  listAddresses as addressesOf,
  listErrorCodes,
  /** @deprecated Use {@link listErrorCodes}. */
  listErrorCodes as errorsOf,
  listQueryMembers,
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
