import type {
  AuthorizationCodeRecord,
  AuthorizationReads,
  AuthorizationRepository,
  CodeWithUser,
} from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';
import { selectUserColumns, toUser } from './user-rows.ts';

type CodeRow = Omit<AuthorizationCodeRecord, 'authorization'> & { readonly authorization: string };

const insertCode = defineStatement((db, p: Placeholders<CodeRow>) =>
  db.insertInto('authorization_codes').values({
    digest_hex: p.digestHex,
    pool_id: p.poolId,
    client_id: p.clientId,
    username: p.username,
    session_login_id: p.sessionLoginId,
    authorization: p.authorization,
    token_login_id: p.tokenLoginId,
    used_at_ms: p.usedAtMs,
    expires_at_ms: p.expiresAtMs,
    created_at_ms: p.createdAtMs,
  }),
);

const selectCode = defineStatement((db, p: Placeholders<{ digestHex: string }>) =>
  db
    .selectFrom('authorization_codes')
    .select([
      'digest_hex as digestHex',
      'pool_id as poolId',
      'client_id as clientId',
      'username',
      'session_login_id as sessionLoginId',
      'authorization',
      'token_login_id as tokenLoginId',
      'used_at_ms as usedAtMs',
      'expires_at_ms as expiresAtMs',
      'created_at_ms as createdAtMs',
    ])
    .where('digest_hex', '=', p.digestHex),
);

const selectCodeUser = defineStatement((db, p: Placeholders<{ digestHex: string }>, phrases) =>
  db
    .selectFrom('authorization_codes')
    .innerJoin('users', (join) =>
      join
        .onRef('users.pool_id', '=', 'authorization_codes.pool_id')
        .onRef('users.username', '=', 'authorization_codes.username'),
    )
    .select(selectUserColumns(phrases))
    .where('authorization_codes.digest_hex', '=', p.digestHex),
);

const useCode = defineStatement(
  (db, p: Placeholders<{ digestHex: string; nowMs: number; tokenLoginId: string | null }>) =>
    db
      .updateTable('authorization_codes')
      .set({ used_at_ms: p.nowMs, token_login_id: p.tokenLoginId })
      .where('digest_hex', '=', p.digestHex)
      .where('used_at_ms', 'is', null)
      .where('expires_at_ms', '>', p.nowMs)
      .returning('digest_hex'),
);

/** Reads authorization codes. */
export class SqlAuthorizationReads extends SqlRepository implements AuthorizationReads {
  async code(digestHex: string): Promise<AuthorizationCodeRecord | undefined> {
    const row = (await this.executor.run(selectCode, { digestHex })).rows[0];
    return row && { ...row, authorization: JSON.parse(row.authorization) as AuthorizationCodeRecord['authorization'] };
  }

  async codeWithUser(digestHex: string): Promise<CodeWithUser | undefined> {
    const [code, { rows }] = await Promise.all([
      this.code(digestHex),
      this.executor.run(selectCodeUser, { digestHex }),
    ]);
    const [user] = rows.map(toUser);
    return code && { code, user };
  }
}

/** Reads and writes authorization codes. */
export class SqlAuthorizationRepository extends SqlAuthorizationReads implements AuthorizationRepository {
  async insertCode(record: AuthorizationCodeRecord): Promise<void> {
    await this.executor.run(insertCode, { ...record, authorization: JSON.stringify(record.authorization) });
  }

  async useCode(digestHex: string, tokenLoginId: string | null, nowMs: number): Promise<boolean> {
    return (await this.executor.run(useCode, { digestHex, tokenLoginId, nowMs })).rows.length === 1;
  }
}
