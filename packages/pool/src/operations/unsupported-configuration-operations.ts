import type { Input, Output } from '@poolgate/provider';
import type { EventPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import {
  checkLogDelivery,
  checkRiskConfiguration,
  reportUnsupportedSettings,
  type UnsupportedSettingsPort,
} from '../settings/unsupported-settings.ts';
import type { PoolSettings, StoredRiskConfiguration } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import type { OperationTable } from './operation-table.ts';
import { requireStoredClient } from './user-pool-client-operations.ts';
import { requireStoredPool, updateStoredPool } from './user-pool-operations.ts';

type ConfigurationOperation =
  | 'describeRiskConfiguration'
  | 'getLogDeliveryConfiguration'
  | 'setLogDeliveryConfiguration'
  | 'setRiskConfiguration';

/**
 * Operations on configuration that has no effect here. It is stored where the service accepts unsupported settings. The caller was already
 * authorized.
 */
export const unsupportedConfigurationOperations: OperationTable<ConfigurationOperation> = {
  describeRiskConfiguration,
  async getLogDeliveryConfiguration(ports, { UserPoolId }) {
    const { settings } = await requireStoredPool(ports, UserPoolId);
    return toLogDelivery(UserPoolId, settings);
  },
  setLogDeliveryConfiguration,
  setRiskConfiguration,
};

type ConfigurationWrites = EventPorts &
  SettingsCachePort &
  UnsupportedSettingsPort &
  StoreWrites<'events' | 'locks' | 'pools'>;

function toLogDelivery(
  UserPoolId: string,
  { logConfigurations = [] }: PoolSettings,
): Output<'GetLogDeliveryConfiguration'> {
  return { LogDeliveryConfiguration: { UserPoolId, LogConfigurations: [...logConfigurations] } };
}

async function setLogDeliveryConfiguration(
  ports: StoreReads<'pools'> & ConfigurationWrites,
  { UserPoolId, LogConfigurations: logConfigurations }: Input<'SetLogDeliveryConfiguration'>,
): Promise<Output<'SetLogDeliveryConfiguration'>> {
  await requireStoredPool(ports, UserPoolId);
  checkLogDelivery(logConfigurations, ports.acceptedUnsupportedSettings);
  const settings = await updateStoredPool(ports, UserPoolId, 'log_delivery', ({ settings: before }) => ({
    settings: { ...before, logConfigurations },
  }));
  reportUnsupportedSettings(ports, { id: UserPoolId, settings });
  return toLogDelivery(UserPoolId, settings);
}

interface RiskConfigurationIds {
  readonly UserPoolId: string;
  readonly ClientId?: string | undefined;
}

type ConfigurationReads = StoreReads<'pools' | 'clients'>;

async function describeRiskConfiguration(
  ports: ConfigurationReads,
  ids: RiskConfigurationIds,
): Promise<Output<'DescribeRiskConfiguration'>> {
  return toRiskConfiguration(ids, (await requirePoolOf(ports, ids)).settings);
}

async function setRiskConfiguration(
  ports: ConfigurationReads & ConfigurationWrites,
  input: Input<'SetRiskConfiguration'>,
): Promise<Output<'SetRiskConfiguration'>> {
  const { UserPoolId, ...members } = input;
  await requirePoolOf(ports, input);
  checkRiskConfiguration(members, ports.acceptedUnsupportedSettings);
  const clients = await ports.store.clients.listOf(UserPoolId);
  const isKept = ({ ClientId }: StoredRiskConfiguration) =>
    ClientId !== members.ClientId && (ClientId === undefined || clients.some(({ id }) => id === ClientId));
  const added = isEmpty(members) ? [] : [{ ...members, modifiedAtMs: ports.clock.now() }];
  const settings = await updateStoredPool(ports, UserPoolId, 'risk_configuration', ({ settings: before }) => ({
    settings: { ...before, riskConfigurations: [...(before.riskConfigurations ?? []).filter(isKept), ...added] },
  }));
  reportUnsupportedSettings(ports, { id: UserPoolId, settings });
  return toRiskConfiguration(input, settings);
}

function isEmpty({ ClientId: _, ...configuration }: Omit<Input<'SetRiskConfiguration'>, 'UserPoolId'>): boolean {
  return Object.values(configuration).every((member) => member === undefined);
}

async function requirePoolOf(
  ports: ConfigurationReads,
  { UserPoolId, ClientId }: RiskConfigurationIds,
): Promise<PoolRecord> {
  if (ClientId === undefined) return requireStoredPool(ports, UserPoolId);
  return (await requireStoredClient(ports.store, { UserPoolId, ClientId })).pool;
}

function toRiskConfiguration(
  { UserPoolId, ClientId }: RiskConfigurationIds,
  { riskConfigurations = [] }: PoolSettings,
): Output<'DescribeRiskConfiguration'> {
  const found = riskConfigurations.find((one) => one.ClientId === ClientId);
  const { modifiedAtMs, ...members } = found ?? {};
  return {
    RiskConfiguration: {
      UserPoolId,
      ...(ClientId !== undefined && { ClientId }),
      ...members,
      ...(modifiedAtMs !== undefined && { LastModifiedDate: modifiedAtMs / 1_000 }),
    },
  };
}
