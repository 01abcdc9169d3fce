import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddedPool } from '@poolgate/pool';
import { readConfiguration } from '../../config/configuration.ts';
import { openContainer, setUpPool } from '../../container/container.ts';
import { HOST_SYSTEM } from '../../process/system.ts';
import { hasChanges } from '../plan/plan.ts';
import { FileApplier } from './apply-files.ts';

const FILE = `
pools:
  shop:
    UsernameAttributes: [email]
    MfaConfiguration: OPTIONAL
    SoftwareTokenMfaConfiguration: { Enabled: true }
    UserSessionTracking: ENABLED
    Domains: { shop-interrupted: {} }
    ResourceServers:
      orders: { Name: Orders, Scopes: [{ ScopeName: read, ScopeDescription: Read }] }
    Clients:
      web:
        GenerateSecret: true
        AllowedOAuthFlows: [client_credentials]
        AllowedOAuthFlowsUserPoolClient: true
        AllowedOAuthScopes: [orders/read]
        SSOSession: { MaxValidityMinutes: 60 }
    Groups: { crew: { Precedence: 2 } }
    Users:
      ada@example.com:
        Password: Ada-Passw0rd!
        UserAttributes: [{ Name: email, Value: ada@example.com }]
        Groups: [crew]
`;

class Killed extends Error {}

const READS = /^(?:describe|get|list|adminGet|adminList)/;

/** The pool as it is for a process that is killed at its nth changing call: before it, or after it and before the answer. */
function killAt(pool: EmbeddedPool, nth: number, moment: 'before' | 'after'): EmbeddedPool {
  let calls = 0;
  const guard = (call: (...parts: unknown[]) => Promise<unknown>) => {
    return async (...parts: unknown[]): Promise<unknown> => {
      calls += 1;
      if (calls === nth && moment === 'before') throw new Killed();
      const answer = await call(...parts);
      if (calls === nth) throw new Killed();
      return answer;
    };
  };
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(from, name) {
        const value: unknown = Reflect.get(from, name);
        if (name === 'operations') return wrap(value as object);
        return typeof value === 'function' && typeof name === 'string' && !READS.test(name)
          ? guard(value.bind(from))
          : value;
      },
    });
  return wrap(pool);
}

async function openFile(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-apply-'));
  const environment = { POOLGATE_DATA_DIR: folder };
  const file = join(folder, 'shop.yaml');
  await writeFile(file, FILE);
  const opened = await openContainer(readConfiguration(environment), HOST_SYSTEM, () => {});
  context.after(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });
  const container = { ...opened, ...(await setUpPool(opened)) };
  const pool = opened.backend.embedded?.pool ?? assert.fail();
  const request = {
    operands: [file],
    parameters: new Map(),
    environment,
    isReplacementAllowed: false,
    isPruning: false,
  };
  const open = (used: EmbeddedPool) => new FileApplier({ container, pool: used }, request);
  const apply = async (used: EmbeddedPool) => {
    const applier = open(used);
    const stacks = await applier.findStacks();
    const [plan] = await applier.plan(stacks);
    const [applied] = await applier.apply(
      stacks,
      () => {},
      () => {},
    );
    return { plan: plan ?? assert.fail(), ids: applied?.ids ?? assert.fail() };
  };
  return { container, pool, apply };
}

test('an apply that is killed at any of its calls is finished by the next one, with one pool', async (context) => {
  let finished = false;
  for (let nth = 1; !finished; nth += 1) {
    for (const moment of ['before', 'after'] as const) {
      const { container, pool, apply } = await openFile(context);
      const killed = await apply(killAt(pool, nth, moment)).then(
        () => false,
        (error: unknown) => error instanceof Killed || assert.fail(error as Error),
      );
      const { ids } = await apply(pool);
      const { plan } = await apply(pool);
      assert.ok(
        !hasChanges(plan),
        `${moment} call ${nth}: ${JSON.stringify(plan.resources.map((each) => each.changes))}`,
      );
      assert.equal((await container.store.pools.list(10, undefined)).rows.length, 2);
      const { poolId = '' } = ids.get('shop') ?? {};
      assert.equal((await container.store.clients.listOf(poolId)).length, 1);
      const settings = (await container.store.pools.byId(poolId))?.settings;
      assert.partialDeepStrictEqual(settings, { mfaMethods: ['SOFTWARE_TOKEN_MFA'], sessions: { tracked: true } });
      const user = await container.store.users.byName(poolId, 'ada@example.com');
      assert.equal(user?.user.status, 'CONFIRMED', `${moment} call ${nth}`);
      assert.deepEqual(
        user?.user.groups.map(({ name }) => name),
        ['crew'],
      );
      if (!killed) finished = true;
    }
    assert.ok(nth < 20);
  }
});

test('two applies at once make one pool', async (context) => {
  const { container, pool, apply } = await openFile(context);
  const [one, other] = await Promise.all([apply(pool), apply(pool)]);
  assert.deepEqual(one.ids, other.ids);
  assert.equal((await container.store.pools.list(10, undefined)).rows.length, 2);
});
