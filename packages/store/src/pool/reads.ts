import type { CodePurpose, PoolReads, TotpRecord, UserSearch } from '@poolgate/pool/store';
import type { Executor } from '../statement.ts';
import { clients } from './clients.ts';
import { codes } from './codes.ts';
import { credentials } from './credentials.ts';
import { devices } from './devices.ts';
import { groups } from './groups.ts';
import { lockouts } from './lockouts.ts';
import { logins } from './logins.ts';
import { messages } from './messages.ts';
import { passkeys } from './passkeys.ts';
import { pools } from './pools.ts';
import { recoveryCodes } from './recovery-codes.ts';
import { registrations } from './registrations.ts';
import { searchUsers } from './search.ts';
import { signingKeys } from './signing-keys.ts';
import { totpFactors } from './totp-factors.ts';
import { users } from './users.ts';

/** The reads of the pool's port, on the database or inside a transaction. */
export class DatabaseReads implements PoolReads {
  protected readonly executor: Executor;

  constructor(executor: Executor) {
    this.executor = executor;
  }

  pool(id: string) {
    return pools.get(this.executor, id);
  }

  firstPool() {
    return pools.first(this.executor);
  }

  pools(limit: number, cursor: string | undefined) {
    return pools.list(this.executor, limit, cursor);
  }

  client(id: string) {
    return clients.get(this.executor, id);
  }

  clients(poolId: string) {
    return clients.list(this.executor, poolId);
  }

  userByName(poolId: string, name: string) {
    return credentials.byName(this.executor, poolId, name);
  }

  user(poolId: string, username: string) {
    return users.get(this.executor, poolId, username);
  }

  registration(poolId: string, username: string) {
    return registrations.get(this.executor, poolId, username);
  }

  registrations(poolId: string, name: string, limit: number) {
    return registrations.byName(this.executor, poolId, name, limit);
  }

  users(poolId: string, limit: number, cursor: string | undefined) {
    return users.list(this.executor, poolId, limit, cursor);
  }

  countUsers(poolId: string) {
    return users.count(this.executor, poolId);
  }

  searchUsers(poolId: string, search: UserSearch, limit: number, cursor: string | undefined) {
    return searchUsers(this.executor, poolId, search, limit, cursor);
  }

  group(poolId: string, name: string) {
    return groups.get(this.executor, poolId, name);
  }

  groups(poolId: string, limit: number, cursor: string | undefined) {
    return groups.list(this.executor, poolId, limit, cursor);
  }

  groupMembers(poolId: string, groupName: string, limit: number, cursor: string | undefined) {
    return groups.members(this.executor, poolId, groupName, limit, cursor);
  }

  groupsOfUser(poolId: string, username: string, limit: number, cursor: string | undefined) {
    return groups.ofUser(this.executor, poolId, username, limit, cursor);
  }

  activeLogins(poolId: string, username: string, nowMs: number, limit: number, cursor: string | undefined) {
    return logins.active(this.executor, poolId, username, nowMs, limit, cursor);
  }

  login(id: string) {
    return logins.get(this.executor, id);
  }

  code(poolId: string, username: string, purpose: CodePurpose) {
    return codes.get(this.executor, poolId, username, purpose);
  }

  signingKeys(poolId: string) {
    return signingKeys.list(this.executor, poolId);
  }

  lockout(poolId: string, subject: string) {
    return lockouts.get(this.executor, poolId, subject);
  }

  device(poolId: string, username: string, key: string) {
    return devices.get(this.executor, poolId, username, key);
  }

  devices(poolId: string, username: string, limit: number, cursor: string | undefined) {
    return devices.list(this.executor, poolId, username, limit, cursor);
  }

  totp(poolId: string, username: string, state: TotpRecord['state']) {
    return totpFactors.get(this.executor, poolId, username, state);
  }

  passkey(poolId: string, credentialId: string) {
    return passkeys.get(this.executor, poolId, credentialId);
  }

  passkeys(poolId: string, username: string) {
    return passkeys.list(this.executor, poolId, username);
  }

  countRecoveryCodes(poolId: string, username: string) {
    return recoveryCodes.count(this.executor, poolId, username);
  }

  deadMessages(poolId: string, limit: number) {
    return messages.dead(this.executor, poolId, limit);
  }
}
