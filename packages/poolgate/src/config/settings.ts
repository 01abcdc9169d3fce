import { adminKeySettings } from './admin-key-settings.ts';
import { cognitoSettings } from './cognito-settings.ts';
import { embeddedPoolSettings } from './embedded-pool-settings.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { messageSettings } from './message-settings.ts';
import { passkeySettings } from './passkey-settings.ts';
import { poolSettings } from './pool-settings.ts';
import { processSettings } from './process-settings.ts';
import { type ProviderName, providerSettings } from './provider-settings.ts';
import type { Setting, SettingGroup, SettingValues } from './setting.ts';
import { triggerSettings } from './trigger-settings.ts';

/** A group of keys. */
interface SettingSection {
  readonly title: string;
  readonly settings: SettingGroup;
  /** The provider of the keys, if they have no effect with another one. */
  readonly only?: ProviderName;
}

/** The groups of keys in display order. */
export const SETTING_GROUPS: readonly SettingSection[] = [
  { title: 'Process', settings: processSettings },
  { title: 'Provider', settings: providerSettings },
  { title: 'User pool', settings: poolSettings },
  { title: 'Embedded pool', settings: embeddedPoolSettings, only: 'embedded' },
  { title: 'Amazon Cognito', settings: cognitoSettings, only: 'cognito' },
  { title: 'Passkeys', settings: passkeySettings },
  { title: 'Gateway', settings: gatewaySettings },
  { title: 'Administration', settings: adminKeySettings },
  { title: 'Messages', settings: messageSettings, only: 'embedded' },
  { title: 'Triggers', settings: triggerSettings, only: 'embedded' },
];

const ALL = {
  ...processSettings,
  ...providerSettings,
  ...poolSettings,
  ...embeddedPoolSettings,
  ...cognitoSettings,
  ...passkeySettings,
  ...gatewaySettings,
  ...adminKeySettings,
  ...messageSettings,
  ...triggerSettings,
};

/** The name of a setting in code and as an option of the library's entry point. */
export type SettingName = keyof typeof ALL;

/** The value of every setting. */
export type Settings = SettingValues<typeof ALL>;

/** Every key by its name. */
export const SETTINGS: Readonly<Record<SettingName, Setting<unknown>>> = ALL;

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(ALL) as readonly SettingName[];
