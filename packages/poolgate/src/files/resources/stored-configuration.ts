import { type Input, ProviderError } from '@poolgate/provider';
import { pickMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import { toPoolOrClient } from './pool-appearance.ts';
import type { ResourceIds, ResourcePorts, ResourceType } from './resource-type.ts';
import { combineShapes, readInputShape } from './shapes.ts';

const RISK_SHAPE = combineShapes([readInputShape('SetRiskConfiguration')], { required: ['UserPoolId', 'ClientId'] });
const RISK_MEMBERS = [
  'CompromisedCredentialsRiskConfiguration',
  'AccountTakeoverRiskConfiguration',
  'RiskExceptionConfiguration',
] as const;

async function setRisk({ operations, call }: ResourcePorts, ids: ResourceIds, members: object): Promise<void> {
  const input = { ...pickMembers({ ...members }, RISK_MEMBERS), ...toPoolOrClient(ids) };
  await operations.setRiskConfiguration(input as Input<'SetRiskConfiguration'>, call);
}

/** Returns the result of a call; undefined if the pool at Amazon lacks the feature. */
async function undefinedIfUnavailable<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError && UNAVAILABLE.has(error.code)) return undefined;
    throw error;
  }
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  'FeatureUnavailableInTierException',
  'UserPoolAddOnNotEnabledException',
]);

/** Threat protection, for an app client or for all clients of a pool. */
export const USER_POOL_RISK_CONFIGURATION: ResourceType = {
  name: 'UserPoolRiskConfigurationAttachment',
  title: 'AWS::Cognito::UserPoolRiskConfigurationAttachment',
  shape: RISK_SHAPE,
  templateShape: RISK_SHAPE,
  nameMember: 'ClientId',
  fixed: ['ClientId', 'UserPoolId'],
  secretPaths: [],
  unsupported: { promisesSecurity: true },
  async find({ operations, call }, ids) {
    const asked = operations.describeRiskConfiguration(toPoolOrClient(ids), call);
    const found = await undefinedIfMissing(undefinedIfUnavailable(asked));
    const members = pickMembers({ ...found?.RiskConfiguration }, RISK_MEMBERS);
    if (Object.keys(members).length === 0) return undefined;
    return { UserPoolId: ids.poolId, ClientId: ids.physicalId, ...members };
  },
  create: setRisk,
  update: (ports, ids, { desired }) => setRisk(ports, ids, desired),
  remove: (ports, ids) => setRisk(ports, ids, {}),
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};

const LOG_SHAPE = combineShapes([readInputShape('SetLogDeliveryConfiguration')], { required: ['UserPoolId'] });

type LogConfigurations = Input<'SetLogDeliveryConfiguration'>['LogConfigurations'];

async function setLogs({ operations, call }: ResourcePorts, { poolId }: ResourceIds, logs: unknown): Promise<void> {
  const LogConfigurations = (logs ?? []) as LogConfigurations;
  await operations.setLogDeliveryConfiguration({ UserPoolId: poolId, LogConfigurations }, call);
}

/** Where a pool sends its logs. */
export const LOG_DELIVERY_CONFIGURATION: ResourceType = {
  name: 'LogDeliveryConfiguration',
  title: 'AWS::Cognito::LogDeliveryConfiguration',
  shape: LOG_SHAPE,
  templateShape: LOG_SHAPE,
  // A pool has one.
  nameMember: 'UserPoolId',
  fixed: ['UserPoolId'],
  secretPaths: [],
  unsupported: { promisesSecurity: false },
  async find({ operations, call }, { poolId: UserPoolId }) {
    const asked = operations.getLogDeliveryConfiguration({ UserPoolId }, call);
    const found = await undefinedIfMissing(undefinedIfUnavailable(asked));
    const { LogConfigurations = [] } = found?.LogDeliveryConfiguration ?? {};
    return LogConfigurations.length === 0 ? undefined : { UserPoolId, LogConfigurations };
  },
  create: (ports, ids, { LogConfigurations }) => setLogs(ports, ids, LogConfigurations),
  update: (ports, ids, { desired }) => setLogs(ports, ids, desired.LogConfigurations),
  remove: (ports, ids) => setLogs(ports, ids, []),
  readAttributes: ({ poolId }) => ({ ref: poolId, attributes: { Id: poolId } }),
};
