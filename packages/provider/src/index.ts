export type { Actor, AuditEvent, EventType } from './audit-events.ts';
export { EVENT_TYPES } from './audit-events.ts';
export type { AuthFlow, AuthFlowRow, AuthFlowSpelling } from './auth-flows.ts';
export { AUTH_FLOW_ALIASES, AUTH_FLOWS, COMMON_FLOW_KEYS, parseAuthFlow as authFlowOf } from './auth-flows.ts';
export type { CallContext } from './call-context.ts';
export type { ChallengeName, ChallengeRow, ParameterKeys as KeySet } from './challenges.ts';
export { CHALLENGES, COMMON_ANSWER_KEYS, isChallengeName } from './challenges.ts';
export { hasDuplicateMembers } from './duplicate-members.ts';
export type { EmptyOperationRow } from './empty-operations.ts';
export { EMPTY_OPERATIONS } from './empty-operations.ts';
export { escapeHtml } from './escape-html.ts';
export type {
  CheckedAuthorization,
  OAuthAuthorizationRequest,
  OAuthErrorCode,
  OAuthPrompt,
  OAuthServer,
  OAuthTokens,
  PendingAuthorizationRequest as WaitingAuthorization,
} from './oauth-server.ts';
export { authorizationLocation, OAuthError } from './oauth-server.ts';
export type {
  Access,
  AccessRow,
  AdminScope,
  AuditClass,
  ClientSecretPlace,
  LimitClass,
  OperationRow,
  RecentLoginRequirement as RecentLogin,
  RevocationEffect as Revokes,
} from './operation-row.ts';
export { ADMIN_SCOPES } from './operation-row.ts';
export type { OperationName, OperationNameWhere } from './operations.ts';
export { OPERATION_NAMES, OPERATIONS } from './operations.ts';
export type {
  Capability,
  IdentityProvider,
  Input,
  LoginDescription,
  MissingRegistrationProof as MissingClaim,
  Output,
  PasswordBlocklist as RefusedPasswordList,
  PasswordPolicyFacts,
  PasswordResetSessions as ResetSessions,
  PasswordVerifier,
  PasswordVerifierOperations as VerifierPasswords,
  PoolDescription,
  ProviderExtensions,
  ProviderOperations,
  PublicKey,
  RegistrationConfirmation,
  RegistrationProof as RegistrationClaim,
} from './port.ts';
export type { Fault, PasswordRule, ProviderErrorCode, ProviderErrorOptions, RefusalReason } from './provider-error.ts';
export { ERRORS, FAULTS, ProviderError } from './provider-error.ts';
export type { RefusedOperationName, RefusedOperationRow } from './refused-operations.ts';
export { REFUSED_OPERATIONS } from './refused-operations.ts';
export type { RevocableToken, RevocationRecord, TokenState } from './revocation-records.ts';
export {
  createTombstone as tombstone,
  loginRevocation,
  parseTombstoneSubject as subOfTombstone,
  revocationSubjects,
  tokenState,
  tombstoneSubject,
  userRevocation,
} from './revocation-records.ts';
export { parseScopes as scopesOf, USER_SCOPE } from './scopes.ts';
export type { Operations } from './shapes.ts';
export { uuidV7 } from './uuid-v7.ts';
export type { Operation, SubjectFields } from './wrap-operations.ts';
export {
  createOperations,
  requireMethod as methodOf,
  toMethodName as methodNameOf,
  wrapOperations,
} from './wrap-operations.ts';
