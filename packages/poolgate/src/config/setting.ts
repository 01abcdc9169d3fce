import type { ValueKind } from './value-kinds.ts';

/** The settings on which other settings' defaults depend. */
export interface DefaultInputs {
  readonly port: number;
  readonly dataDir: string;
  /** `http`, or `https` if the service itself serves it. */
  readonly scheme: 'http' | 'https';
  /** Undefined if the system chooses the port and nothing else is set. */
  readonly baseUrl: string | undefined;
}

/** A configuration key. */
export interface Setting<Value> {
  /** The environment variable. */
  readonly env: string;
  readonly kind: ValueKind<Value>;
  /** The default in words, for the reference page. */
  readonly defaultText: string;
  fallback(known: DefaultInputs): Value;
  /** True if a wrong value is not repeated in an error, because it may contain a secret. */
  readonly sensitive: boolean;
  readonly help: string;
}

interface SettingOptions<Value> {
  readonly default: Value;
  readonly defaultText?: string;
  readonly help: string;
  readonly sensitive?: boolean;
}

/** A key with a fixed default. */
export function defineSetting<Value>(
  env: string,
  kind: ValueKind<Value>,
  options: SettingOptions<NoInfer<Value>>,
): Setting<Value> {
  return {
    env,
    kind,
    defaultText: options.defaultText ?? kind.show(options.default),
    fallback: () => options.default,
    sensitive: options.sensitive ?? false,
    help: options.help,
  };
}

/** A key whose default depends on other keys. */
export function defineDerivedSetting<Value>(
  env: string,
  kind: ValueKind<Value>,
  options: Omit<SettingOptions<Value>, 'default'> & { readonly defaultText: string; from(known: DefaultInputs): Value },
): Setting<Value> {
  return {
    env,
    kind,
    defaultText: options.defaultText,
    fallback: options.from,
    sensitive: options.sensitive ?? false,
    help: options.help,
  };
}

/** A group of keys that one part of the service reads. */
export type SettingGroup = Readonly<Record<string, Setting<unknown>>>;

/** The values of the keys of one group. */
export function pickGroup<Group extends SettingGroup>(
  settings: SettingValues<Group>,
  group: Group,
): SettingValues<Group> {
  const names = Object.keys(group) as readonly (keyof Group)[];
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as SettingValues<Group>;
}

/** The values of a slice. */
export type SettingValues<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends { fallback(known: DefaultInputs): infer Value } ? Value : never;
};

/** The name of a key in the JSON file: lowercase, without `IDP_` and `POOLGATE_`. */
export function toFileKey(env: string): string {
  return env.replace(/^(IDP|POOLGATE)_/, '').toLowerCase();
}
