import { type Input, ProviderError } from '@poolgate/provider';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import type { PoolSettingsInput } from './pool-settings-input.ts';

/** Which unsupported settings pools may store: none, those without a security promise, or all. */
export type AcceptedUnsupportedSettings = 'none' | 'without_security' | 'all';

/** A pool setting that is stored and returned but has no effect. */
export interface UnsupportedSetting {
  readonly userPoolId: string;
  /** Its name in the API. */
  readonly setting: string;
  readonly promisesSecurity: boolean;
}

/** The dependencies of checking for unsupported settings. */
export interface UnsupportedSettingsPort {
  /** Default: `none`. */
  readonly acceptedUnsupportedSettings?: AcceptedUnsupportedSettings;
  /** Called for each unsupported setting when a pool's settings are written. */
  readonly onUnsupportedSetting?: (found: UnsupportedSetting) => void;
}

interface UnsupportedSettingRow {
  readonly setting: string;
  /** Whether an operator would rely on it for protection. */
  readonly promisesSecurity: boolean;
  readonly isSet: (members: PoolSettingsInput) => boolean;
}

/** Codes for a custom sender would have to be encrypted like in the AWS Encryption SDK. */
const UNSUPPORTED_TRIGGERS = ['CustomSMSSender', 'CustomEmailSender', 'KMSKeyID'] as const;

const UNSUPPORTED_SETTINGS: readonly UnsupportedSettingRow[] = [
  {
    setting: 'PasswordHistorySize',
    promisesSecurity: true,
    isSet: ({ Policies }) => (Policies?.PasswordPolicy?.PasswordHistorySize ?? 0) > 0,
  },
  {
    setting: 'AdvancedSecurityMode ENFORCED',
    promisesSecurity: true,
    isSet: ({ UserPoolAddOns }) =>
      UserPoolAddOns?.AdvancedSecurityMode === 'ENFORCED' ||
      UserPoolAddOns?.AdvancedSecurityAdditionalFlows?.CustomAuthMode === 'ENFORCED',
  },
  {
    setting: 'AdvancedSecurityMode AUDIT',
    promisesSecurity: false,
    isSet: ({ UserPoolAddOns }) =>
      UserPoolAddOns?.AdvancedSecurityMode === 'AUDIT' ||
      UserPoolAddOns?.AdvancedSecurityAdditionalFlows?.CustomAuthMode === 'AUDIT',
  },
  {
    setting: 'KeyType CUSTOMER_MANAGED_KEY',
    promisesSecurity: true,
    isSet: ({ KeyConfiguration }) => KeyConfiguration?.KeyType === 'CUSTOMER_MANAGED_KEY',
  },
  {
    // Cognito turns it on if the status is omitted.
    setting: 'DcrConfiguration',
    promisesSecurity: false,
    isSet: ({ DcrConfiguration }) => DcrConfiguration !== undefined && DcrConfiguration.EnableStatus !== 'Disabled',
  },
  ...UNSUPPORTED_TRIGGERS.map((trigger) => ({
    setting: trigger,
    promisesSecurity: false,
    isSet: ({ LambdaConfig }: PoolSettingsInput) => LambdaConfig?.[trigger] !== undefined,
  })),
];

/**
 * Rejects the first unsupported setting that pools may not store.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkUnsupportedSettings(members: PoolSettingsInput, accepted: AcceptedUnsupportedSettings): void {
  const isRefused = ({ promisesSecurity }: UnsupportedSettingRow) =>
    accepted === 'none' || (accepted === 'without_security' && promisesSecurity);
  const refused = UNSUPPORTED_SETTINGS.find((row) => isRefused(row) && row.isSet(members));
  if (refused === undefined) return;
  throw new ProviderError('InvalidParameterException', `${refused.setting} is not supported by this service.`, {
    reason: 'feature_disabled',
  });
}

/** Threat protection. An operator would rely on it. */
const RISK_CONFIGURATION = { setting: 'RiskConfiguration', promisesSecurity: true } as const;
const LOG_DELIVERY = { setting: 'LogDeliveryConfiguration', promisesSecurity: false } as const;

/**
 * Removing a configuration is always accepted.
 * @throws {ProviderError} `UserPoolAddOnNotEnabledException`: pools may not store it
 */
export function checkRiskConfiguration(
  { ClientId: _, ...configuration }: Omit<Input<'SetRiskConfiguration'>, 'UserPoolId'>,
  accepted: AcceptedUnsupportedSettings = 'none',
): void {
  if (accepted === 'all' || Object.values(configuration).every((member) => member === undefined)) return;
  throw new ProviderError('UserPoolAddOnNotEnabledException', 'Threat protection is not supported by this service.');
}

/** Like {@link checkRiskConfiguration}. @throws {ProviderError} `InvalidParameterException` */
export function checkLogDelivery(
  configurations: Input<'SetLogDeliveryConfiguration'>['LogConfigurations'],
  accepted: AcceptedUnsupportedSettings = 'none',
): void {
  if (accepted !== 'none' || configurations.length === 0) return;
  throw new ProviderError('InvalidParameterException', 'Log delivery is not supported by this service.', {
    reason: 'feature_disabled',
  });
}

/** Finds a pool's settings that are stored but have no effect. */
export function findUnsupportedSettings({
  id,
  settings,
}: Pick<PoolRecord, 'id' | 'settings'>): readonly UnsupportedSetting[] {
  const members = toStoredMembers(settings);
  const { riskConfigurations = [], logConfigurations = [] } = settings;
  return [
    ...UNSUPPORTED_SETTINGS.filter(({ isSet }) => isSet(members)),
    ...(riskConfigurations.length > 0 ? [RISK_CONFIGURATION] : []),
    ...(logConfigurations.length > 0 ? [LOG_DELIVERY] : []),
  ].map(({ setting, promisesSecurity }) => ({ userPoolId: id, setting, promisesSecurity }));
}

function toStoredMembers({ passwordPolicy: { historySize }, kept = {} }: PoolSettings): PoolSettingsInput {
  const { UserPoolAddOns, KeyConfiguration, DcrConfiguration, LambdaConfig } = kept;
  return {
    ...(historySize !== undefined && { Policies: { PasswordPolicy: { PasswordHistorySize: historySize } } }),
    ...(UserPoolAddOns && { UserPoolAddOns }),
    ...(KeyConfiguration && { KeyConfiguration }),
    ...(DcrConfiguration && { DcrConfiguration }),
    ...(LambdaConfig && { LambdaConfig }),
  };
}

/** Reports the unsupported settings of a pool whose settings were written. */
export function reportUnsupportedSettings(
  { onUnsupportedSetting }: UnsupportedSettingsPort,
  pool: Pick<PoolRecord, 'id' | 'settings'>,
): void {
  if (onUnsupportedSetting === undefined) return;
  for (const found of findUnsupportedSettings(pool)) onUnsupportedSetting(found);
}
