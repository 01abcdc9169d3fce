import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { SearchableAttribute } from '@poolgate/pool/store';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { readEventPage } from './events/event-page.ts';
import { createDeliveryRecords } from './gateway/delivery-records.ts';
import { createLogoutNoticeRecords } from './gateway/logout-notice-records.ts';
import { openStore } from './open-store.ts';
import { searchUsers } from './pool/search-users.ts';
import { SqlAuthenticatorReads } from './pool/sql-authenticator-repository.ts';
import { SqlGroupReads } from './pool/sql-group-repository.ts';
import { SqlLoginRepository } from './pool/sql-login-repository.ts';
import { SqlPasskeyReads } from './pool/sql-passkey-repository.ts';
import { SqlRegistrationRepository } from './pool/sql-registration-repository.ts';
import { SqlUserReads } from './pool/sql-user-reads.ts';
import { parseDatabaseUrl } from './sql/database-url.ts';
import { CompiledStatements, type Writer } from './sql/statement.ts';
import { QueryExecutor } from './sql/statement-executor.ts';
import type { Tables } from './sql/tables.ts';
import { SQLITE_SQL } from './sqlite/sqlite-dialect-sql.ts';
import { PERSISTENT_LOCATIONS, type StoreLocation } from './testing/store-locations.ts';

const ATTRIBUTES: readonly SearchableAttribute[] = ['username', 'sub', 'email', 'cognito:user_status', 'status'];

// Reading a million rows must work like reading ten: each step of a plan uses an index, and only a user's groups are sorted.
const READS_ALL = /^SCAN (?!due)|TEMP B-TREE FOR (?!json_group_array)/;

describe('plans of SQLite', () => {
  let location: StoreLocation;
  let database: DatabaseSync;
  let plan: string[] = [];
  let executor: Writer;

  before(async () => {
    location = await (PERSISTENT_LOCATIONS['SQLite file'] as () => Promise<StoreLocation>)();
    await (await openStore(location.url)).close();
    const target = parseDatabaseUrl(location.url);
    database = new DatabaseSync(target.kind === 'file' ? target.path : '');
    const kysely = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (other) => new SqliteIntrospector(other),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    });
    const explain = async (query: CompiledQuery) => {
      const steps = database.prepare(`explain query plan ${query.sql}`).all();
      plan = steps.map((step) => String(step.detail));
      return { rows: [], changes: 0 };
    };
    executor = new QueryExecutor({ runQuery: explain }, new CompiledStatements(kysely, SQLITE_SQL), (error) =>
      error instanceof Error ? error : new TypeError('unknown'),
    );
  });
  after(async () => {
    database?.close();
    await location?.remove();
  });

  async function assertIndexed(read: () => Promise<unknown>): Promise<void> {
    plan = [];
    await read();
    assert.ok(plan.length > 0);
    assert.deepEqual(
      plan.filter((step) => READS_ALL.test(step)),
      [],
      plan.join('\n'),
    );
  }

  it('find the registrations of a name with an index, for reading, contesting and ending', async () => {
    const reads = [
      () => new SqlRegistrationRepository(executor).listByName('p', 'n', 2),
      () => new SqlRegistrationRepository(executor).contest('p', 'n'),
      () => new SqlRegistrationRepository(executor).deleteOthers('p', 'n', 'u'),
    ];
    for (const read of reads) {
      plan = [];
      await read();
      const steps = plan.filter((step) => step.includes('SEARCH registrations') || step.startsWith('SCAN'));
      assert.ok(
        steps.some((step) => step.includes('(pool_id=? AND name=?)')),
        plan.join('\n'),
      );
      assert.deepEqual(
        steps.filter((step) => step.endsWith('(pool_id=?)') || step.startsWith('SCAN')),
        [],
        plan.join('\n'),
      );
    }
  });

  it('find users with an index, on the first page and on the next', async () => {
    for (const attribute of ATTRIBUTES) {
      for (const [match, value] of [
        ['equals', 'Enabled'],
        ['prefix', 'E'],
        ['prefix', ''],
      ] as const) {
        for (const cursor of [undefined, '1:aa']) {
          await assertIndexed(() => searchUsers(executor, 'p', { attribute, match, value }, 60, cursor));
        }
      }
    }
    await assertIndexed(() => new SqlUserReads(executor).list('p', 60, 'u'));
    await assertIndexed(() => new SqlGroupReads(executor).listMembers('p', 'g', 60, 'u'));
    await assertIndexed(() => new SqlGroupReads(executor).listOf('p', 'u', 60, 'g'));
    await assertIndexed(() => new SqlLoginRepository(executor).listActive('p', 'u', 1, 60, '1:l'));
  });

  it('find due deletions without reading other users', async () => {
    await new SqlUserReads(executor).listDueDeletions(1, 50);
    assert.match(plan[0] ?? '', /^SEARCH users USING INDEX users_by_deletion \(\(deletion_at_ms,/, plan.join('\n'));
  });

  it('find a user, passkeys and an authenticator with an index, whether they exist or not', async () => {
    await assertIndexed(() => new SqlUserReads(executor).byName('p', 'n'));
    await assertIndexed(() => new SqlUserReads(executor).byUsername('p', 'u'));
    await assertIndexed(() => new SqlAuthenticatorReads(executor).byState('p', 'u', 'active'));
    plan = [];
    await new SqlPasskeyReads(executor).listOf('p', 'u');
    assert.deepEqual(
      plan.filter((step) => /^SCAN|\(pool_id=\?\)$/.test(step) && !step.includes('COVERING INDEX')),
      [],
      plan.join('\n'),
    );
  });

  it('find excess logins among active ones, however many have ended', async () => {
    plan = [];
    await new SqlLoginRepository(executor).revokeExcess('p', 'u', 20, 1);
    assert.ok(
      plan.some((step) => step.includes('(pool_id=? AND username=? AND revoked_at_ms=?)')),
      plan.join('\n'),
    );
    assert.deepEqual(
      plan.filter((step) => step.startsWith('SCAN')),
      [],
    );
  });

  it('find what ends with a login or a user, and whom to notify, with an index', async () => {
    const logins = new SqlLoginRepository(executor);
    const session = { clientId: 'c', sessionId: 's' };
    for (const [read, columns] of [
      [() => logins.endClientSessions('l', 1, 2), '(session_login_id=?)'],
      [() => logins.endClientSessionsOf('p', 'u', 1, 2), '(pool_id=? AND username=?)'],
      [() => logins.listGrantsOfSession(session), '(session_id=?)'],
      [() => createLogoutNoticeRecords({ writes: executor }).lease(1, 2, 3), '(next_try_at_ms<?)'],
    ] as const) {
      plan = [];
      await read();
      assert.ok(
        plan.some((step) => step.includes(columns)),
        `${columns}: ${plan.join('\n')}`,
      );
    }
  });

  it('read the audit log of a pool, a user and a type with a separate index each', async () => {
    for (const [filter, column] of [
      [{}, 'user_pool_id=? AND id<?'],
      [{ sub: 's' }, 'sub=? AND id<?'],
      [{ type: 'login.failed' }, 'type=? AND id<?'],
      [{ sub: 's', type: 'login.failed' }, 'sub=? AND id<?'],
    ] as const) {
      await assertIndexed(() => readEventPage(executor, { userPoolId: 'p', ...filter }, 60, 'id'));
      assert.ok(plan[0]?.includes(column), plan.join('\n'));
    }
  });

  it('lease deliveries without reading those that are not due', async () => {
    await assertIndexed(() => createDeliveryRecords({ reads: executor, writes: executor }).lease(1, 2, 10));
    assert.ok(
      plan.some((step) => step.includes('next_try_at_ms<?')),
      plan.join('\n'),
    );
  });
});
