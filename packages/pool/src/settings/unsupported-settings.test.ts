import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input } from '@poolgate/provider';
import { createPool, type UnsupportedSetting } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { TEST_CALL } from '../testing/test-pool.ts';
import type { AcceptedUnsupportedSettings } from './unsupported-settings.ts';

type Members = Omit<Input<'CreateUserPool'>, 'PoolName'>;

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:sender';
const SENDER = { LambdaVersion: 'V1_0', LambdaArn: ARN } as const;

const FEATURES: readonly (readonly [string, Members])[] = [
  ['AdvancedSecurityMode AUDIT', { UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' } }],
  ['DcrConfiguration', { DcrConfiguration: { EnableStatus: 'Enabled' } }],
  ['CustomSMSSender', { LambdaConfig: { CustomSMSSender: SENDER } }],
  ['CustomEmailSender', { LambdaConfig: { CustomEmailSender: SENDER } }],
  ['KMSKeyID', { LambdaConfig: { KMSKeyID: 'arn:aws:kms:us-east-1:123456789012:key/x' } }],
];
const SECURITY: readonly (readonly [string, Members])[] = [
  ['PasswordHistorySize', { Policies: { PasswordPolicy: { MinimumLength: 10, PasswordHistorySize: 3 } } }],
  ['AdvancedSecurityMode ENFORCED', { UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' } }],
  [
    'AdvancedSecurityMode ENFORCED',
    {
      UserPoolAddOns: { AdvancedSecurityMode: 'OFF', AdvancedSecurityAdditionalFlows: { CustomAuthMode: 'ENFORCED' } },
    },
  ],
  ['KeyType CUSTOMER_MANAGED_KEY', { KeyConfiguration: { KeyType: 'CUSTOMER_MANAGED_KEY' } }],
];

const CASES: readonly {
  readonly accepted: AcceptedUnsupportedSettings;
  readonly stored: readonly (readonly [string, Members])[];
  readonly refused: readonly (readonly [string, Members])[];
}[] = [
  { accepted: 'none', stored: [], refused: [...FEATURES, ...SECURITY] },
  { accepted: 'without_security', stored: FEATURES, refused: SECURITY },
  { accepted: 'all', stored: [...FEATURES, ...SECURITY], refused: [] },
];

forEachDatabase((database) => {
  for (const { accepted, stored, refused } of CASES) {
    test(`unsupported settings where pools accept ${accepted}, on ${database.name}`, async (context) => {
      const { options, close } = await openTestEnvironment(await database.create());
      context.after(close);
      const reports: UnsupportedSetting[] = [];
      const { operations, unsupportedSettings } = createPool({
        ...options,
        acceptedUnsupportedSettings: accepted,
        onUnsupportedSetting: (found) => void reports.push(found),
      });
      const create = async (members: Members) =>
        (await operations.createUserPool({ PoolName: 'made', ...members }, TEST_CALL)).UserPool ?? assert.fail();
      const describe = async (UserPoolId: string) =>
        (await operations.describeUserPool({ UserPoolId }, TEST_CALL)).UserPool ?? assert.fail();
      const { Id: plain = '' } = await create({});

      for (const [setting, members] of refused) {
        const message = `${setting} is not supported by this service.`;
        await assertRefused(create(members), 'InvalidParameterException', message);
        const update = operations.updateUserPool({ UserPoolId: plain, ...members }, TEST_CALL);
        await assertRefused(update, 'InvalidParameterException', message);
      }
      assert.deepEqual([reports, await unsupportedSettings()], [[], []]);

      const created: UnsupportedSetting[] = [];
      for (const [setting, members] of stored) {
        const pool = await create(members);
        created.push({
          userPoolId: pool.Id ?? '',
          setting,
          promisesSecurity: SECURITY.some(([name]) => name === setting),
        });
        assert.deepEqual(pickMembers(await describe(pool.Id ?? ''), members), members);
      }
      assert.deepEqual(reports.toSorted(byName), created.toSorted(byName));
      assert.deepEqual((await unsupportedSettings()).toSorted(byName), created.toSorted(byName));
      for (const { userPoolId } of created) {
        const none = { Policies: { PasswordPolicy: {} }, DcrConfiguration: { EnableStatus: 'Disabled' } } as const;
        await operations.updateUserPool({ UserPoolId: userPoolId, ...none }, TEST_CALL);
      }
      assert.deepEqual(await unsupportedSettings(), []);
    });
  }
});

test('threat protection and log delivery are stored if pools accept them, and can always be removed', async (context) => {
  const { options, close } = await openTestEnvironment('sqlite::memory:');
  context.after(close);
  const reports: string[] = [];
  const open = (acceptedUnsupportedSettings: AcceptedUnsupportedSettings) =>
    createPool({
      ...options,
      acceptedUnsupportedSettings,
      onUnsupportedSetting: ({ setting }) => void reports.push(setting),
    });
  const { operations, unsupportedSettings } = open('all');
  const { UserPool } = await operations.createUserPool({ PoolName: 'made' }, TEST_CALL);
  const UserPoolId = UserPool?.Id ?? '';
  const { UserPoolClient } = await operations.createUserPoolClient({ UserPoolId, ClientName: 'app' }, TEST_CALL);
  const ClientId = UserPoolClient?.ClientId ?? '';
  const CompromisedCredentialsRiskConfiguration = { Actions: { EventAction: 'BLOCK' } } as const;
  const ids = [{ UserPoolId }, { UserPoolId, ClientId }];
  for (const each of ids) {
    await operations.setRiskConfiguration({ ...each, CompromisedCredentialsRiskConfiguration }, TEST_CALL);
    const { RiskConfiguration } = await operations.describeRiskConfiguration(each, TEST_CALL);
    const { LastModifiedDate, ...rest } = RiskConfiguration;
    assert.deepEqual(rest, { ...each, CompromisedCredentialsRiskConfiguration });
    assert.ok(LastModifiedDate);
  }
  const LogConfigurations = [{ LogLevel: 'ERROR', EventSource: 'userNotification' }] as const;
  await operations.setLogDeliveryConfiguration({ UserPoolId, LogConfigurations }, TEST_CALL);
  await operations.updateUserPool({ UserPoolId }, TEST_CALL);
  const { LogDeliveryConfiguration } = await operations.getLogDeliveryConfiguration({ UserPoolId }, TEST_CALL);
  assert.deepEqual(LogDeliveryConfiguration, { UserPoolId, LogConfigurations });
  assert.deepEqual([...new Set(reports)], ['RiskConfiguration', 'LogDeliveryConfiguration']);

  const production = open('without_security').operations;
  const risk = { UserPoolId, CompromisedCredentialsRiskConfiguration };
  await assertRefused(
    production.setRiskConfiguration(risk, TEST_CALL),
    'UserPoolAddOnNotEnabledException',
    'Threat protection is not supported by this service.',
  );
  await production.setLogDeliveryConfiguration({ UserPoolId, LogConfigurations }, TEST_CALL);
  const closed = open('none').operations;
  await assertRefused(
    closed.setLogDeliveryConfiguration({ UserPoolId, LogConfigurations }, TEST_CALL),
    'InvalidParameterException',
    'Log delivery is not supported by this service.',
  );
  await closed.deleteUserPoolClient({ UserPoolId, ClientId }, TEST_CALL);
  const missing = { code: 'ResourceNotFoundException', reason: 'client_not_found' };
  await assert.rejects(closed.describeRiskConfiguration({ UserPoolId, ClientId }, TEST_CALL), missing);
  await closed.setLogDeliveryConfiguration({ UserPoolId, LogConfigurations: [] }, TEST_CALL);
  await closed.setRiskConfiguration({ UserPoolId }, TEST_CALL);
  assert.deepEqual(await unsupportedSettings(), []);
});

function byName(one: UnsupportedSetting, other: UnsupportedSetting): number {
  return `${one.userPoolId} ${one.setting}`.localeCompare(`${other.userPoolId} ${other.setting}`);
}

/** The part of a description that a request contained. */
function pickMembers(described: object, asked: object): object {
  return Object.fromEntries(
    Object.entries(asked).map(([name, value]) => {
      const found: unknown = (described as Readonly<Record<string, unknown>>)[name];
      const isNested = typeof value === 'object' && value !== null && typeof found === 'object' && found !== null;
      return [name, isNested ? pickMembers(found, value) : found];
    }),
  );
}
