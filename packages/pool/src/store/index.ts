export type { ClientSettings, DomainSettings, MfaMethod, PoolSettings, ResourceServerScope } from '../settings.ts';
export type { AllowanceReads, AllowanceRepository } from './allowances.ts';
export type { AuthenticatorReads, AuthenticatorRepository } from './authenticators.ts';
export type { AuthorizationReads, AuthorizationRepository } from './authorizations.ts';
export type { ChallengeSessionRepository } from './challenge-sessions.ts';
export type { ClientChange, ClientReads, ClientRepository } from './clients.ts';
export type { CodeDecoy, CodeReads, CodeRepository } from './codes.ts';
export type { CredentialRepository } from './credentials.ts';
export type { DeviceChange, DeviceReads, DeviceRepository } from './devices.ts';
export type { DomainReads, DomainRepository } from './domains.ts';
export type { ConflictError } from './errors.ts';
export type { EventRepository } from './events.ts';
export type { GroupChange, GroupReads, GroupRepository } from './groups.ts';
export type { LocalUserRepository } from './local-users.ts';
export type { LockoutReads, LockoutRepository, SharedLock } from './lockouts.ts';
export type { LockRepository } from './locks.ts';
export type { LoginReads, LoginRepository } from './logins.ts';
export type { MessageReads, MessageRepository } from './messages.ts';
export type { NotMeLinkRepository } from './not-me-links.ts';
export type { Page } from './page.ts';
export type { PasskeyCeremonyRepository } from './passkey-ceremonies.ts';
export type { PasskeyReads, PasskeyRepository, PasskeyUse } from './passkeys.ts';
export type { PoolReads, PoolStore, PoolTransaction } from './pool-store.ts';
export type { PoolChange, PoolRecordReads, PoolRepository } from './pools.ts';
export type {
  AllowanceRecord,
  AuthorizationCodeRecord,
  AuthorizationGrant,
  BucketSize,
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  DomainRecord,
  EventRecord,
  GroupRecord,
  LockoutRecord,
  LoginRecord,
  MessageRecord,
  NotMeLinkRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  RegistrationRecord,
  ResourceServerRecord,
  SearchableAttribute,
  SigningKeyRecord,
  TotpRecord,
  UserGroup,
  UserRecord,
  UserSearch,
  UserStatus,
  UserWithCredential,
} from './records.ts';
export type { RecoveryCodeReads, RecoveryCodeRepository } from './recovery-codes.ts';
export type { RegistrationReads, RegistrationRepository } from './registrations.ts';
export type { ResourceServerReads, ResourceServerRepository } from './resource-servers.ts';
export type { RevocationRepository } from './revocations.ts';
export type { SigningKeyReads, SigningKeyRepository } from './signing-keys.ts';
export type { UserChange, UserReads, UserRepository } from './users.ts';
