export { ERROR_CODES, ProviderError } from './errors.ts';
export type { ProviderErrorCode, ProviderErrorOptions, RefusalReason } from './errors.ts';
export { ADMIN_SCOPES, OPERATIONS } from './operations.ts';
export type { Access, AdminScope, OperationName, OperationRow } from './operations.ts';
export type {
  CallContext,
  Capability,
  IdentityProvider,
  Input,
  Output,
  PoolDescription,
  ProviderExtensions,
  ProviderOperations,
  PublicKey,
} from './port.ts';
export type { Operations } from './shapes.ts';
