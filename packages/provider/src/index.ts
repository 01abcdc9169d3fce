export type { AuthFlow, AuthFlowRow, AuthFlowSpelling } from './auth-flows.ts';
export { AUTH_FLOW_ALIASES, AUTH_FLOWS, authFlowOf, COMMON_FLOW_KEYS } from './auth-flows.ts';
export type { CallContext } from './call-context.ts';
export type { ChallengeName, ChallengeRow, KeySet } from './challenges.ts';
export { CHALLENGES, COMMON_ANSWER_KEYS, isChallengeName } from './challenges.ts';
export { hasDuplicateMembers } from './duplicate-members.ts';
export type { EmptyOperationRow } from './empty-operations.ts';
export { EMPTY_OPERATIONS } from './empty-operations.ts';
export type { Fault, PasswordRule, ProviderErrorCode, ProviderErrorOptions, RefusalReason } from './errors.ts';
export { ERRORS, FAULTS, ProviderError } from './errors.ts';
export { escapeHtml } from './escape-html.ts';
export type { Actor, AuditEvent, EventType } from './events.ts';
export { EVENT_TYPES } from './events.ts';
export type {
  CheckedAuthorization,
  OAuthAuthorizationRequest,
  OAuthErrorCode,
  OAuthPrompt,
  OAuthServer,
  OAuthTokens,
  WaitingAuthorization,
} from './oauth.ts';
export { authorizationLocation, OAuthError } from './oauth.ts';
export type {
  Access,
  AccessRow,
  AdminScope,
  AuditClass,
  ClientSecretPlace,
  LimitClass,
  OperationRow,
  RecentLogin,
  Revokes,
} from './operation-row.ts';
export { ADMIN_SCOPES } from './operation-row.ts';
export type { OperationName, OperationNameWhere } from './operations.ts';
export { OPERATION_NAMES, OPERATIONS } from './operations.ts';
export type {
  Capability,
  IdentityProvider,
  Input,
  LoginDescription,
  MissingClaim,
  Output,
  PasswordPolicyFacts,
  PasswordVerifier,
  PoolDescription,
  ProviderExtensions,
  ProviderOperations,
  PublicKey,
  RefusedPasswordList,
  RegistrationClaim,
  RegistrationConfirmation,
  ResetSessions,
  VerifierPasswords,
} from './port.ts';
export type { RefusedOperationName, RefusedOperationRow } from './refused-operations.ts';
export { REFUSED_OPERATIONS } from './refused-operations.ts';
export type { RevocableToken, RevocationRecord, TokenState } from './revocations.ts';
export {
  loginRevocation,
  revocationSubjects,
  subOfTombstone,
  tokenState,
  tombstone,
  tombstoneSubject,
  userRevocation,
} from './revocations.ts';
export { scopesOf, USER_SCOPE } from './scopes.ts';
export type { Operations } from './shapes.ts';
export { uuidV7 } from './uuid-v7.ts';
export type { Operation, SubjectFields } from './wrap-operations.ts';
export { createOperations, methodNameOf, methodOf, wrapOperations } from './wrap-operations.ts';
