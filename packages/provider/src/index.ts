export type { Actor, AuditEvent, EventType } from './audit-events.ts';
export { EVENT_TYPES } from './audit-events.ts';
export type { AuthFlow, AuthFlowRow, AuthFlowSpelling } from './auth-flows.ts';
/** @deprecated Use {@link parseAuthFlow}. */
export {
  AUTH_FLOW_ALIASES,
  AUTH_FLOWS,
  COMMON_FLOW_KEYS,
  parseAuthFlow,
  parseAuthFlow as authFlowOf,
} from './auth-flows.ts';
export type { CallContext } from './call-context.ts';
/** @deprecated Use {@link ParameterKeys}. */
export type { ChallengeName, ChallengeRow, ParameterKeys, ParameterKeys as KeySet } from './challenges.ts';
export { CHALLENGES, COMMON_ANSWER_KEYS, isChallengeName } from './challenges.ts';
export { hasDuplicateMembers } from './duplicate-members.ts';
export type { EmptyOperationRow } from './empty-operations.ts';
export { EMPTY_OPERATIONS } from './empty-operations.ts';
export { escapeHtml } from './escape-html.ts';
/** @deprecated Use {@link PendingAuthorizationRequest}. */
export type {
  CheckedAuthorization,
  OAuthAuthorizationRequest,
  OAuthErrorCode,
  OAuthPrompt,
  OAuthServer,
  OAuthTokens,
  PendingAuthorizationRequest,
  PendingAuthorizationRequest as WaitingAuthorization,
} from './oauth-server.ts';
export { authorizationLocation, OAuthError } from './oauth-server.ts';
/** @deprecated Use {@link RecentLoginRequirement}. */
/** @deprecated Use {@link RevocationEffect}. */
export type {
  Access,
  AccessRow,
  AdminScope,
  AuditClass,
  ClientSecretPlace,
  LimitClass,
  OperationRow,
  RecentLoginRequirement,
  RecentLoginRequirement as RecentLogin,
  RevocationEffect,
  RevocationEffect as Revokes,
} from './operation-row.ts';
export { ADMIN_SCOPES } from './operation-row.ts';
export type { OperationName, OperationNameWhere } from './operations.ts';
export { OPERATION_NAMES, OPERATIONS } from './operations.ts';
/** @deprecated Use {@link MissingRegistrationProof}. */
/** @deprecated Use {@link PasswordBlocklist}. */
/** @deprecated Use {@link PasswordResetSessions}. */
/** @deprecated Use {@link PasswordVerifierOperations}. */
/** @deprecated Use {@link RegistrationProof}. */
export type {
  Capability,
  IdentityProvider,
  Input,
  LoginDescription,
  MissingRegistrationProof,
  MissingRegistrationProof as MissingClaim,
  Output,
  PasswordBlocklist,
  PasswordBlocklist as RefusedPasswordList,
  PasswordPolicyFacts,
  PasswordResetSessions,
  PasswordResetSessions as ResetSessions,
  PasswordVerifier,
  PasswordVerifierOperations,
  PasswordVerifierOperations as VerifierPasswords,
  PoolDescription,
  ProviderExtensions,
  ProviderOperations,
  PublicKey,
  RegistrationConfirmation,
  RegistrationProof,
  RegistrationProof as RegistrationClaim,
} from './port.ts';
export type { Fault, PasswordRule, ProviderErrorCode, ProviderErrorOptions, RefusalReason } from './provider-error.ts';
export { ERRORS, FAULTS, ProviderError } from './provider-error.ts';
export type { RefusedOperationName, RefusedOperationRow } from './refused-operations.ts';
export { REFUSED_OPERATIONS } from './refused-operations.ts';
export type { RevocableToken, RevocationRecord, TokenState } from './revocation-records.ts';
/** @deprecated Use {@link createTombstone}. */
/** @deprecated Use {@link parseTombstoneSubject}. */
export {
  createTombstone,
  createTombstone as tombstone,
  loginRevocation,
  parseTombstoneSubject,
  parseTombstoneSubject as subOfTombstone,
  revocationSubjects,
  tokenState,
  tombstoneSubject,
  userRevocation,
} from './revocation-records.ts';
/** @deprecated Use {@link parseScopes}. */
export { parseScopes, parseScopes as scopesOf, USER_SCOPE } from './scopes.ts';
export type { Operations } from './shapes.ts';
export { uuidV7 } from './uuid-v7.ts';
export type { Operation, SubjectFields } from './wrap-operations.ts';
/** @deprecated Use {@link requireMethod}. */
/** @deprecated Use {@link toMethodName}. */
export {
  createOperations,
  requireMethod,
  requireMethod as methodOf,
  toMethodName,
  toMethodName as methodNameOf,
  wrapOperations,
} from './wrap-operations.ts';
