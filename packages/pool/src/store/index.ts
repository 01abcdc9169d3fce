export type { ClientSettings, PoolSettings } from '../settings.ts';
export type { ConflictError, Page, PoolReads, PoolStore, PoolTransaction } from './pool-store.ts';
export type {
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  LockoutRecord,
  LoginRecord,
  PoolRecord,
  SigningKeyRecord,
  UserRecord,
  UserStatus,
  UserWithCredential,
} from './records.ts';
