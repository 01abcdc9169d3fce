import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { USER_SCOPE } from '@poolgate/provider';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { UserRecord } from '../store/records.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../testing/test-pool.ts';
import { createTestTriggers, formatTriggerArn } from '../testing/test-triggers.ts';
import type { TriggerEvent } from '../triggers/trigger-invoker.ts';
import { requestClientTokenOverrides, requestTokenChanges } from './token-changes.ts';

const ARN = formatTriggerArn('PreTokenGeneration');
const VERSIONS = ['V1_0', 'V2_0', 'V3_0'] as const;

/** The pre-token trigger as Cognito's console sets it. It can also be version 1 without a version. */
type Config = (typeof VERSIONS)[number] | 'plain' | undefined;

describe('before tokens are signed', () => {
  let pool: TestPool;
  let ports: PoolPorts;
  let owner: PoolAndClient;
  let user: UserRecord;
  const triggers = createTestTriggers({ PreTokenGeneration: (event) => event });
  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    ports = createPoolPorts({ ...opened.options, triggers: triggers.invoker });
    owner = await requireClientAndPool(ports, pool.clientId);
    const found = await pool.store.users.byName(pool.userPoolId, await addUser(pool, 'ada@example.com'));
    const groups = [{ name: 'admins', precedence: 1, roleArn: 'arn:a' }];
    user = { ...(found?.user ?? assert.fail()), groups };
  });
  after(() => pool.close());

  function withTrigger(config: Config): PoolAndClient {
    const LambdaConfig =
      config === 'plain'
        ? { PreTokenGeneration: ARN }
        : { PreTokenGenerationConfig: { LambdaVersion: config, LambdaArn: ARN } };
    const kept = config === undefined ? {} : { kept: { LambdaConfig } };
    return { ...owner, pool: { ...owner.pool, settings: { ...owner.pool.settings, ...kept } as never } };
  }

  /** The parts of an event that differ. */
  const told = ({ version, triggerSource, userName, callerContext, request }: TriggerEvent) => {
    const { clientId } = callerContext;
    return { version, triggerSource, userName, clientId, request };
  };

  it('the trigger receives the user of the tokens and, from version 2 on, their scopes', async () => {
    const source = 'TokenGeneration_Authentication';
    for (const config of ['plain', ...VERSIONS] as const) {
      const { overrides } = await requestTokenChanges(ports, { ...withTrigger(config), user }, { source });
      assert.ok(overrides);
      const [event, ...more] = triggers.takeEvents();
      assert.deepEqual(
        [event && told(event), more],
        [
          {
            version: config === 'plain' ? '1' : config.slice(1, 2),
            triggerSource: source,
            userName: user.username,
            clientId: pool.clientId,
            request: {
              userAttributes: { ...user.attributes, sub: user.sub, 'cognito:user_status': 'CONFIRMED' },
              groupConfiguration: {
                groupsToOverride: ['admins'],
                iamRolesToOverride: ['arn:a'],
                preferredRole: 'arn:a',
              },
              ...(config === 'plain' || config === 'V1_0' ? {} : { scopes: [USER_SCOPE] }),
            },
          },
          [],
        ],
      );
    }
  });

  it("the trigger receives other scopes, the client's metadata, and that there is no role", async () => {
    const origin = { source: 'TokenGeneration_RefreshTokens', scopes: ['openid'], clientMetadata: { a: 'b' } } as const;
    await requestTokenChanges(ports, { ...withTrigger('V2_0'), user: { ...user, groups: [] } }, origin);
    const { scopes, clientMetadata, groupConfiguration } = triggers.takeEvents()[0]?.request ?? {};
    assert.deepEqual([scopes, clientMetadata], [['openid'], { a: 'b' }]);
    assert.deepEqual(groupConfiguration, { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null });
  });

  it('without a trigger nothing is called', async () => {
    const subject = { ...withTrigger(undefined), user };
    const changes = await requestTokenChanges(ports, subject, { source: 'TokenGeneration_Authentication' });
    assert.deepEqual(changes, { added: {}, overrides: undefined });
    assert.deepEqual(triggers.takeEvents(), []);
  });

  it('for a machine’s token only a trigger of version 3 is called, without a user', async () => {
    for (const config of [undefined, 'plain', 'V1_0', 'V2_0'] as const) {
      assert.equal(
        await requestClientTokenOverrides(ports, withTrigger(config), ['orders/read'], undefined),
        undefined,
      );
    }
    assert.deepEqual(triggers.takeEvents(), []);
    const overrides = await requestClientTokenOverrides(ports, withTrigger('V3_0'), ['orders/read'], { a: 'b' });
    assert.deepEqual(overrides?.scopesToAdd, []);
    assert.deepEqual(triggers.takeEvents().map(told), [
      {
        version: '3',
        triggerSource: 'TokenGeneration_ClientCredentials',
        userName: pool.clientId,
        clientId: pool.clientId,
        request: {
          userAttributes: {},
          scopes: ['orders/read'],
          groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
          clientMetadata: { a: 'b' },
        },
      },
    ]);
  });
});
