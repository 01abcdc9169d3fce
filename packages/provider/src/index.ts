export type { Actor, AuditEvent, EventType } from './audit-events.ts';
export { EVENT_TYPES } from './audit-events.ts';
export type { AuthFlow, AuthFlowRow, AuthFlowSpelling } from './auth-flows.ts';
export {
  AUTH_FLOW_ALIASES,
  AUTH_FLOWS,
  COMMON_FLOW_KEYS,
  parseAuthFlow,
  /** @deprecated Use {@link parseAuthFlow}. */
  parseAuthFlow as authFlowOf,
} from './auth-flows.ts';
export type { CallContext } from './call-context.ts';
export type {
  ChallengeName,
  ChallengeRow,
  ParameterKeys,
  /** @deprecated Use {@link ParameterKeys}. */
  ParameterKeys as KeySet,
} from './challenges.ts';
export { CHALLENGES, COMMON_ANSWER_KEYS, isChallengeName, KEEP_ACCOUNT } from './challenges.ts';
export type { ClientExtensionOperations, ClientExtensions, ClientUpdate } from './client-extensions.ts';
export { hasDuplicateMembers } from './duplicate-members.ts';
export type { EmptyOperationRow } from './empty-operations.ts';
export { EMPTY_OPERATIONS } from './empty-operations.ts';
export { escapeHtml } from './escape-html.ts';
export type {
  ConnectedIdentity,
  FederatedLogin,
  FederatedReturn,
  Federation,
  LinkOutcome,
  OfferedIdentityProvider,
  ProviderLinkRule,
  SignedInBrowserUser,
} from './federation.ts';
export { findJsonErrorPosition, type TextPosition } from './json-error-position.ts';
export type {
  AuthorizationResponse,
  CheckedAuthorizationRequest,
  /** @deprecated Use {@link CheckedAuthorizationRequest}. */
  CheckedAuthorizationRequest as CheckedAuthorization,
  IdentifiedUser,
  IdTokenHint,
  LevelCheck,
  OAuthAuthorizationRequest,
  OAuthErrorCode,
  OAuthPrompt,
  OAuthServer,
  OAuthSite,
  OAuthTokens,
  PendingAuthorizationRequest,
  /** @deprecated Use {@link PendingAuthorizationRequest}. */
  PendingAuthorizationRequest as WaitingAuthorization,
} from './oauth-server.ts';
export { authorizationLocation, createAuthorizationResponse, OAuthError } from './oauth-server.ts';
/** @deprecated Use {@link RecentLoginRequirement}. */
export type {
  Access,
  AccessRow,
  AdminScope,
  AuditClass,
  ClientSecretPlace,
  LimitClass,
  OperationRow,
  RecentLoginRequirement,
  /** @deprecated Use {@link RecentLoginRequirement}. */
  RecentLoginRequirement as RecentLogin,
  RevocationEffect,
  /** @deprecated Use {@link RevocationEffect}. */
  RevocationEffect as Revokes,
} from './operation-row.ts';
export { ADMIN_SCOPES } from './operation-row.ts';
export type { OperationName, OperationNameWhere } from './operations.ts';
export { OPERATION_NAMES, OPERATIONS } from './operations.ts';
/** @deprecated Use {@link MissingRegistrationProof}. */
/** @deprecated Use {@link PasswordBlocklist}. */
/** @deprecated Use {@link PasswordResetSessions}. */
/** @deprecated Use {@link PasswordVerifierOperations}. */
export type {
  Capability,
  CodeLogin,
  ConnectedApplication,
  IdentityProvider,
  Input,
  LoginDescription,
  MissingRegistrationProof,
  /** @deprecated Use {@link MissingRegistrationProof}. */
  MissingRegistrationProof as MissingClaim,
  Output,
  PasswordBlocklist,
  /** @deprecated Use {@link PasswordBlocklist}. */
  PasswordBlocklist as RefusedPasswordList,
  PasswordPolicyFacts,
  PasswordResetSessions,
  /** @deprecated Use {@link PasswordResetSessions}. */
  PasswordResetSessions as ResetSessions,
  PasswordVerifier,
  PasswordVerifierOperations,
  /** @deprecated Use {@link PasswordVerifierOperations}. */
  PasswordVerifierOperations as VerifierPasswords,
  PoolDescription,
  ProviderExtensions,
  ProviderOperations,
  PublicKey,
  RegistrationConfirmation,
  RegistrationProof,
  /** @deprecated Use {@link RegistrationProof}. */
  RegistrationProof as RegistrationClaim,
  RsaPublicKey,
  SecretBlockContent,
  SigningAlgorithm,
} from './port.ts';
export type { Fault, PasswordRule, ProviderErrorCode, ProviderErrorOptions, RefusalReason } from './provider-error.ts';
export { ERRORS, FAULTS, ProviderError } from './provider-error.ts';
export type { RefusedOperationName, RefusedOperationRow } from './refused-operations.ts';
export { REFUSED_OPERATIONS } from './refused-operations.ts';
export type { RevocableToken, RevocationRecord, TokenState } from './revocation-records.ts';
/** @deprecated Use {@link createTombstone}. */
export {
  createTombstone,
  /** @deprecated Use {@link createTombstone}. */
  createTombstone as tombstone,
  loginRevocation,
  machineTokenRevocation,
  machineTokenSubject,
  parseTombstoneSubject,
  /** @deprecated Use {@link parseTombstoneSubject}. */
  parseTombstoneSubject as subOfTombstone,
  revocationSubjects,
  tokenState,
  tombstoneSubject,
  userRevocation,
} from './revocation-records.ts';
export {
  parseScopes,
  /** @deprecated Use {@link parseScopes}. */
  parseScopes as scopesOf,
  USER_SCOPE,
} from './scopes.ts';
export type { Operations } from './shapes.ts';
export type { SigningKeyDescription, SigningKeyOperations } from './signing-key-operations.ts';
export { uuidV7 } from './uuid-v7.ts';
export type { Operation, SubjectFields } from './wrap-operations.ts';
/** @deprecated Use {@link requireMethod}. */
export {
  createOperations,
  requireMethod,
  /** @deprecated Use {@link requireMethod}. */
  requireMethod as methodOf,
  toMethodName,
  /** @deprecated Use {@link toMethodName}. */
  toMethodName as methodNameOf,
  wrapOperations,
} from './wrap-operations.ts';
