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
import { type ApplyRequest, type ApplyTarget, FileApplier } from './apply-files.ts';

const createFile = (name: string) => `
pools:
  shop:
    UsernameAttributes: [email]
    MfaConfiguration: OPTIONAL
    SoftwareTokenMfaConfiguration: { Enabled: true }
    UserSessionTracking: ENABLED
    Domains: { ${name}: {} }
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

/** The pool for a process that is killed at its nth changing call: before it, or after it and before the response. */
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

async function openStore(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-apply-'));
  const environment = { POOLGATE_DATA_DIR: folder };
  const opened = await openContainer(readConfiguration(environment), HOST_SYSTEM, () => {});
  context.after(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });
  const container = { ...opened, ...(await setUpPool(opened)) };
  const pool = opened.backend.embedded?.pool ?? assert.fail();
  const countPools = async () => (await container.store.pools.list(100, undefined)).rows.length;
  /** Writes a file with a separate stack. */
  const createStack = async (name: string) => {
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, createFile(name));
    return new FileStack(container, file, environment);
  };
  return { container, pool, countPools, createStack };
}

class FileStack {
  readonly #container: ApplyTarget['container'];
  readonly #request: ApplyRequest;

  constructor(container: ApplyTarget['container'], file: string, environment: ApplyRequest['environment']) {
    this.#container = container;
    const isAllowed = { isReplacementAllowed: false, isPruning: false };
    this.#request = { operands: [file], parameters: new Map(), environment, ...isAllowed };
  }

  async plan(pool: EmbeddedPool) {
    const applier = new FileApplier({ container: this.#container, pool }, this.#request);
    const [plan] = await applier.plan(await applier.findStacks());
    return plan ?? assert.fail();
  }

  async apply(pool: EmbeddedPool) {
    const applier = new FileApplier({ container: this.#container, pool }, this.#request);
    const [applied] = await applier.apply(
      await applier.findStacks(),
      () => {},
      () => {},
    );
    return applied?.ids ?? assert.fail();
  }
}

test('an apply that is killed at any of its calls is completed by the next one, with one pool', async (context) => {
  const { container, pool, countPools, createStack } = await openStore(context);
  let finished = false;
  for (let nth = 1; !finished; nth += 1) {
    for (const moment of ['before', 'after'] as const) {
      const stack = await createStack(`shop-${moment}-${nth}`);
      const poolsBefore = await countPools();
      const killed = await stack.apply(killAt(pool, nth, moment)).then(
        () => false,
        (error: unknown) => error instanceof Killed || assert.fail(error as Error),
      );
      if (killed) assert.ok(hasChanges(await stack.plan(pool)), `${moment} call ${nth}`);
      const ids = await stack.apply(pool);
      const plan = await stack.plan(pool);
      assert.ok(
        !hasChanges(plan),
        `${moment} call ${nth}: ${JSON.stringify(plan.resources.map((each) => each.changes))}`,
      );
      assert.equal(await countPools(), poolsBefore + 1, `${moment} call ${nth}`);
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

test('two parallel applies create one pool', async (context) => {
  const { pool, countPools, createStack } = await openStore(context);
  const stack = await createStack('shop');
  await stack.plan(pool);
  const [one, other] = await Promise.all([stack.apply(pool), stack.apply(pool)]);
  assert.deepEqual(one, other);
  assert.equal(await countPools(), 2);
});
