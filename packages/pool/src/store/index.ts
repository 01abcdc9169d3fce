export type { ClientSettings, MfaMethod, PoolSettings } from '../settings.ts';
export type { ConflictError, Page, PoolReads, PoolStore, PoolTransaction } from './pool-store.ts';
export type {
  BucketSize,
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
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
  SearchableAttribute,
  SigningKeyRecord,
  TotpRecord,
  UserGroup,
  UserRecord,
  UserSearch,
  UserStatus,
  UserWithCredential,
} from './records.ts';
export type { RevocationRepository } from './revocations.ts';
