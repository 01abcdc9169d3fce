import type { CodePurpose, PoolReads } from '@poolgate/pool/store';
import type { Executor } from '../statement.ts';
import { clients } from './clients.ts';
import { codes } from './codes.ts';
import { credentials } from './credentials.ts';
import { lockouts } from './lockouts.ts';
import { logins } from './logins.ts';
import { pools } from './pools.ts';
import { signingKeys } from './signing-keys.ts';
import { users } from './users.ts';

/** The reads of the pool's port, on the database or inside a transaction. */
export class Reads implements PoolReads {
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

  users(poolId: string, limit: number, cursor: string | undefined) {
    return users.list(this.executor, poolId, limit, cursor);
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
}
