import type {
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  LoginRecord,
  PoolRecord,
  PoolTransaction,
  SigningKeyRecord,
  UserRecord,
} from '@poolgate/pool/store';
import { type ClientChange, clients } from './clients.ts';
import { codes } from './codes.ts';
import { credentials } from './credentials.ts';
import { lockouts } from './lockouts.ts';
import { logins } from './logins.ts';
import { pools } from './pools.ts';
import { Reads } from './reads.ts';
import { sessions } from './sessions.ts';
import { signingKeys } from './signing-keys.ts';
import { type UserChange, users } from './users.ts';

/** The pool's port inside one atomic write. */
export class Transaction extends Reads implements PoolTransaction {
  insertPool(pool: PoolRecord) {
    return pools.insert(this.executor, pool);
  }

  insertClient(client: ClientRecord) {
    return clients.insert(this.executor, client);
  }

  updatePool(id: string, change: Pick<PoolRecord, 'settings' | 'modifiedAtMs'>) {
    return pools.update(this.executor, id, change);
  }

  updateClient(id: string, change: ClientChange) {
    return clients.update(this.executor, id, change);
  }

  insertUser(user: UserRecord, names: readonly string[]) {
    return users.insert(this.executor, user, names);
  }

  updateUser(poolId: string, username: string, change: UserChange) {
    return users.update(this.executor, poolId, username, change);
  }

  setNames(poolId: string, username: string, names: readonly string[]) {
    return users.setNames(this.executor, poolId, username, names);
  }

  putCredential(credential: CredentialRecord) {
    return credentials.put(this.executor, credential);
  }

  reserveSession(id: string, expiresAtMs: number) {
    return sessions.reserve(this.executor, id, expiresAtMs);
  }

  spendSession(id: string) {
    return sessions.spend(this.executor, id);
  }

  putCode(code: CodeRecord) {
    return codes.put(this.executor, code);
  }

  consumeCode(poolId: string, username: string, purpose: CodePurpose, digestHex: string) {
    return codes.consume(this.executor, poolId, username, purpose, digestHex);
  }

  insertLogin(login: LoginRecord) {
    return logins.insert(this.executor, login);
  }

  rotateLogin(id: string, fromGeneration: number, nowMs: number) {
    return logins.rotate(this.executor, id, fromGeneration, nowMs);
  }

  revokeLogin(id: string, nowMs: number) {
    return logins.revoke(this.executor, id, nowMs);
  }

  revokeLoginsOf(poolId: string, username: string, nowMs: number) {
    return logins.revokeAll(this.executor, poolId, username, nowMs);
  }

  insertSigningKey(key: SigningKeyRecord) {
    return signingKeys.insert(this.executor, key);
  }

  retireSigningKeys(poolId: string, exceptKids: readonly string[], nowMs: number) {
    return signingKeys.retireExcept(this.executor, poolId, exceptKids, nowMs);
  }

  countFailure(poolId: string, subject: string, nowMs: number, forgetBeforeMs: number) {
    return lockouts.countFailure(this.executor, poolId, subject, nowMs, forgetBeforeMs);
  }

  lockSubject(poolId: string, subject: string, lockedUntilMs: number) {
    return lockouts.lock(this.executor, poolId, subject, lockedUntilMs);
  }

  clearFailures(poolId: string, subject: string, nowMs: number) {
    return lockouts.clear(this.executor, poolId, subject, nowMs);
  }
}
