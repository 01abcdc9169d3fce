export type { ClientSettings, MfaMethod, PoolSettings } from '../settings.ts';
export type { ConflictError, Page, PoolReads, PoolStore, PoolTransaction } from './pool-store.ts';
export type {
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  LockoutRecord,
  LoginRecord,
  MessageRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  SigningKeyRecord,
  TotpRecord,
  UserRecord,
  UserStatus,
  UserWithCredential,
} from './records.ts';
