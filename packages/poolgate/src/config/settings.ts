import { embeddedPoolSettings } from './embedded-pool.ts';
import { gatewaySettings } from './gateway.ts';
import { messageSettings } from './messages.ts';
import { passkeySettings } from './passkeys.ts';
import { processSettings } from './process.ts';
import { providerSettings } from './provider.ts';
import type { Setting, Slice, ValuesOf } from './setting.ts';

/** The groups of keys, in the order in which they are shown. */
export const SLICES: readonly { readonly title: string; readonly settings: Slice }[] = [
  { title: 'Process', settings: processSettings },
  { title: 'Provider', settings: providerSettings },
  { title: 'Embedded pool', settings: embeddedPoolSettings },
  { title: 'Passkeys', settings: passkeySettings },
  { title: 'Gateway', settings: gatewaySettings },
  { title: 'Messages', settings: messageSettings },
];

const ALL = {
  ...processSettings,
  ...providerSettings,
  ...embeddedPoolSettings,
  ...passkeySettings,
  ...gatewaySettings,
  ...messageSettings,
};

/** The name of a setting in code and as an option of the library door. */
export type SettingName = keyof typeof ALL;

/** The value of every setting. */
export type Settings = ValuesOf<typeof ALL>;

/** Every key by its name. */
export const SETTINGS: Readonly<Record<SettingName, Setting<unknown>>> = ALL;

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(ALL) as readonly SettingName[];
