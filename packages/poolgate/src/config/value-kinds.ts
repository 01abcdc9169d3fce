import { isIP } from 'node:net';
import { findIpv4PrefixLength } from './ipv4-prefix.ts';
import { listPostgresUrls, redactDatabaseUrl } from './postgres-urls.ts';

/** The result of parsing a value: the value, or what is wrong with it (without repeating it). */
export type ReadResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** A kind of value: how it is parsed from text (environment) or JSON (file, option), and how it is shown. */
export interface ValueKind<Value> {
  /** What is allowed, in words for people. */
  readonly allowed: string;
  read(input: unknown): ReadResult<Value>;
  /** The value for people, without secrets. */
  show(value: Value): string;
}

const acceptValue = <Value>(value: Value): ReadResult<Value> => ({ ok: true, value });
const rejectValue = <Value>(problem: string): ReadResult<Value> => ({ ok: false, problem });

interface TextRules {
  readonly allowed: string;
  readonly accepts: (text: string) => boolean;
  readonly problem: string;
  readonly show?: (text: string) => string;
}

/** Text that passes a check. */
export function createTextKind(rules: TextRules): ValueKind<string> {
  return {
    allowed: rules.allowed,
    read: (input) =>
      typeof input === 'string' && rules.accepts(input) ? acceptValue(input) : rejectValue(rules.problem),
    show: rules.show ?? ((value) => value),
  };
}

/** A whole number between two bounds, both included. */
export function createWholeNumberKind(least: number, greatest: number): ValueKind<number> {
  const allowed = `a whole number from ${least} to ${greatest}`;
  return {
    allowed,
    read(input) {
      const number = typeof input === 'string' && /^\d{1,15}$/.test(input) ? Number(input) : input;
      if (typeof number !== 'number' || !Number.isInteger(number)) return rejectValue('is not a whole number');
      return number >= least && number <= greatest ? acceptValue(number) : rejectValue('is out of range');
    },
    show: String,
  };
}

/** `true` or `false`. */
export const booleanKind: ValueKind<boolean> = {
  allowed: 'true or false',
  read(input) {
    if (input === true || input === 'true') return acceptValue(true);
    if (input === false || input === 'false') return acceptValue(false);
    return rejectValue('is neither true nor false');
  },
  show: String,
};

/** One of the given words. */
export function createChoiceKind<const Word extends string>(words: readonly Word[]): ValueKind<Word> {
  return {
    allowed: words.join(', '),
    read(input) {
      const word = words.find((candidate) => candidate === input);
      return word === undefined ? rejectValue('is not one of the allowed values') : acceptValue(word);
    },
    show: (value) => value,
  };
}

/** A list: comma-separated in text, an array in JSON. */
export function createListKind<Item>(item: ValueKind<Item>): ValueKind<readonly Item[]> {
  return {
    allowed: `a comma-separated list; each: ${item.allowed}`,
    read(input) {
      const parts = typeof input === 'string' ? input.split(',').map((part) => part.trim()) : input;
      if (!Array.isArray(parts)) return rejectValue('is not a list');
      const items: Item[] = [];
      for (const [index, part] of parts.entries()) {
        const reading = item.read(part);
        if (!reading.ok) return rejectValue(`item ${index + 1} ${reading.problem}`);
        items.push(reading.value);
      }
      return new Set(items).size === items.length ? acceptValue(items) : rejectValue('contains a value twice');
    },
    show: (items) => items.map((entry) => item.show(entry)).join(','),
  };
}

function parseUrl(input: unknown): URL | undefined {
  return typeof input === 'string' && URL.canParse(input) ? new URL(input) : undefined;
}

/** Whether a text is a URL without credentials, which would be visible wherever it is shown. */
export function isUrlWithoutCredentials(input: string): boolean {
  const url = parseUrl(input);
  return url !== undefined && url.username === '' && url.password === '';
}

/** A list that is no longer than this. */
export function createLimitedListKind<Item>(
  most: number,
  items: ValueKind<readonly Item[]>,
): ValueKind<readonly Item[]> {
  return {
    ...items,
    allowed: `${items.allowed}; at most ${most}`,
    read(input) {
      const reading = items.read(input);
      return reading.ok && reading.value.length > most ? rejectValue(`has more than ${most} items`) : reading;
    },
  };
}

/** An `http` or `https` origin: scheme, host and optional port. Stored without a trailing slash. */
export const originKind: ValueKind<string> = {
  allowed: 'an http or https URL without path, query or credentials, e.g. https://login.example.com',
  read(input) {
    const url = parseUrl(input);
    if (url === undefined || !/^https?:$/.test(url.protocol)) return rejectValue('is not an http or https URL');
    return url.href === `${url.origin}/`
      ? acceptValue(url.origin)
      : rejectValue('contains more than scheme, host and port');
  },
  show: (value) => value,
};

/** An address or a CIDR range. */
const addressRange = createTextKind({
  allowed: 'an IP address or a CIDR range, e.g. 10.0.0.0/8',
  problem: 'is neither an IP address nor a CIDR range',
  accepts(input) {
    const [address = '', prefix, ...rest] = input.split('/');
    const family = isIP(address);
    if (family === 0 || rest.length > 0) return false;
    return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
  },
});

/** The same without ranges that contain every address, because any caller could then choose the address for rate limits. */
export const proxyRangeKind: ValueKind<string> = {
  allowed: `${addressRange.allowed}; not all addresses, such as 0.0.0.0/0`,
  read(input) {
    const reading = addressRange.read(input);
    if (!reading.ok) return reading;
    const isEvery = /\/0+$/.test(reading.value) || findIpv4PrefixLength(reading.value) === 0;
    return isEvery ? rejectValue('contains every address') : reading;
  },
  show: addressRange.show,
};

/** A host name or an address to listen on. */
export const hostKind = createTextKind({
  allowed: 'a host name or an IP address',
  problem: 'is neither a host name nor an IP address',
  accepts: (input) => isIP(input) !== 0 || /^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(input),
});

/** A path under which routes are mounted. */
export const pathPrefixKind = createTextKind({
  allowed: 'a path such as /api/cognito, with a leading slash and without a trailing slash',
  problem: 'is not a path of letters, digits, "-", "_" and "." between slashes',
  accepts: (input) => /^(\/[\w-][\w.-]*){1,8}$/.test(input),
});

/** A folder of this machine. */
export const folderPathKind = createTextKind({
  allowed: 'the path of a folder',
  problem: 'is not a path',
  accepts: (input) => input.length > 0 && !input.includes('\0'),
});

/** A file of this machine. */
export const filePathKind = createTextKind({
  allowed: 'the path of a file',
  problem: 'is not a path',
  accepts: (input) => input.length > 0 && !input.includes('\0'),
});

/** The store. Its password is never shown. */
export const databaseUrlKind = createTextKind({
  allowed:
    'sqlite:./relative/path.db, sqlite:/absolute/path.db, sqlite::memory: or postgres://user:password@host[,host]/name',
  problem: 'is not a supported database URL',
  accepts: (input) => /^sqlite:(?!\/\/)./.test(input) || listPostgresUrls(input).length > 0,
  show: redactDatabaseUrl,
});

/** Hides a value: only its presence is shown. */
export function createSecretKind<Value>(kind: ValueKind<Value>): ValueKind<Value> {
  return { ...kind, show: () => '(set, not shown)' };
}

/** The same kind, or undefined, which is only a default and never parsed. */
export function createOptionalKind<Value>(kind: ValueKind<Value>, whenAbsent: string): ValueKind<Value | undefined> {
  return { ...kind, show: (value) => (value === undefined ? whenAbsent : kind.show(value)) };
}

/** The same kind, or a word that means the same as omitting the setting, as the documentation shows its default. */
export function createSwitchableKind<Value>(kind: ValueKind<Value>, word: string): ValueKind<Value | undefined> {
  return {
    allowed: `${kind.allowed}, or ${word}`,
    read: (input) => (input === word ? acceptValue(undefined) : kind.read(input)),
    show: (value) => (value === undefined ? word : kind.show(value)),
  };
}
