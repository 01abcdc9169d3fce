import { isIP } from 'node:net';
import { postgresUrls, shownDatabaseUrl } from './database-servers.ts';
import { ipv4Prefix } from './ipv4-prefix.ts';

/** The outcome of reading one value: the value, or what is wrong with it (without repeating it). */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** A kind of value: how it is read from text (environment) or JSON (file, option), and how it is shown. */
export interface Kind<Value> {
  /** What is allowed, in words for people. */
  readonly allowed: string;
  read(input: unknown): Reading<Value>;
  /** The value for people; never a secret in it. */
  show(value: Value): string;
}

const good = <Value>(value: Value): Reading<Value> => ({ ok: true, value });
const bad = <Value>(problem: string): Reading<Value> => ({ ok: false, problem });

interface TextRules {
  readonly allowed: string;
  readonly accepts: (text: string) => boolean;
  readonly problem: string;
  readonly show?: (text: string) => string;
}

/** Text that passes a check. */
export function text(rules: TextRules): Kind<string> {
  return {
    allowed: rules.allowed,
    read: (input) => (typeof input === 'string' && rules.accepts(input) ? good(input) : bad(rules.problem)),
    show: rules.show ?? ((value) => value),
  };
}

/** A whole number between two bounds, both included. */
export function wholeNumber(least: number, greatest: number): Kind<number> {
  const allowed = `a whole number from ${least} to ${greatest}`;
  return {
    allowed,
    read(input) {
      const number = typeof input === 'string' && /^\d{1,15}$/.test(input) ? Number(input) : input;
      if (typeof number !== 'number' || !Number.isInteger(number)) return bad('is not a whole number');
      return number >= least && number <= greatest ? good(number) : bad('is out of range');
    },
    show: String,
  };
}

/** `true` or `false`. */
export const booleanKind: Kind<boolean> = {
  allowed: 'true or false',
  read(input) {
    if (input === true || input === 'true') return good(true);
    if (input === false || input === 'false') return good(false);
    return bad('is neither true nor false');
  },
  show: String,
};

/** One of the given words. */
export function choice<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    allowed: words.join(', '),
    read(input) {
      const word = words.find((candidate) => candidate === input);
      return word === undefined ? bad('is not one of the allowed values') : good(word);
    },
    show: (value) => value,
  };
}

/** A list: comma-separated in text, an array in JSON. */
export function list<Item>(item: Kind<Item>): Kind<readonly Item[]> {
  return {
    allowed: `a comma-separated list; each: ${item.allowed}`,
    read(input) {
      const parts = typeof input === 'string' ? input.split(',').map((part) => part.trim()) : input;
      if (!Array.isArray(parts)) return bad('is not a list');
      const items: Item[] = [];
      for (const [index, part] of parts.entries()) {
        const reading = item.read(part);
        if (!reading.ok) return bad(`item ${index + 1} ${reading.problem}`);
        items.push(reading.value);
      }
      return new Set(items).size === items.length ? good(items) : bad('names something twice');
    },
    show: (items) => items.map((entry) => item.show(entry)).join(','),
  };
}

function urlOf(input: unknown): URL | undefined {
  return typeof input === 'string' && URL.canParse(input) ? new URL(input) : undefined;
}

/** Whether a text is a URL without a user name or password, which everybody to whom it is shown would learn. */
export function isUrlWithoutCredentials(input: string): boolean {
  const url = urlOf(input);
  return url !== undefined && url.username === '' && url.password === '';
}

/** A list that is no longer than this. */
export function atMost<Item>(most: number, items: Kind<readonly Item[]>): Kind<readonly Item[]> {
  return {
    ...items,
    allowed: `${items.allowed}; ${most} at most`,
    read(input) {
      const reading = items.read(input);
      return reading.ok && reading.value.length > most ? bad(`has more than ${most} items`) : reading;
    },
  };
}

/** An `http` or `https` origin: scheme, host, perhaps a port, nothing else. Kept without a trailing slash. */
export const origin: Kind<string> = {
  allowed: 'an http or https URL without path, query and credentials, e.g. https://login.example.com',
  read(input) {
    const url = urlOf(input);
    if (url === undefined || !/^https?:$/.test(url.protocol)) return bad('is not an http or https URL');
    return url.href === `${url.origin}/` ? good(url.origin) : bad('has more than scheme, host and port');
  },
  show: (value) => value,
};

/** An address or a CIDR range. */
const addressRange = text({
  allowed: 'an IP address or a CIDR range, e.g. 10.0.0.0/8',
  problem: 'is neither an IP address nor a CIDR range',
  accepts(input) {
    const [address = '', prefix, ...rest] = input.split('/');
    const family = isIP(address);
    if (family === 0 || rest.length > 0) return false;
    return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
  },
});

/** The same, but for a range that holds every address: with it whoever asks could choose the address that limits go by. */
export const proxyRange: Kind<string> = {
  allowed: `${addressRange.allowed}; not every address, such as 0.0.0.0/0`,
  read(input) {
    const reading = addressRange.read(input);
    if (!reading.ok) return reading;
    const isEvery = /\/0+$/.test(reading.value) || ipv4Prefix(reading.value) === 0;
    return isEvery ? bad('holds every address') : reading;
  },
  show: addressRange.show,
};

/** A host name or an address to listen on. */
export const host = text({
  allowed: 'a host name or an IP address',
  problem: 'is neither a host name nor an IP address',
  accepts: (input) => isIP(input) !== 0 || /^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(input),
});

/** A path under which routes are mounted. */
export const pathPrefix = text({
  allowed: 'a path such as /api/cognito: starts with a slash, does not end with one',
  problem: 'is not a path of letters, digits, "-", "_" and "." between slashes',
  accepts: (input) => /^(\/[\w-][\w.-]*){1,8}$/.test(input),
});

/** A folder of this machine. */
export const folder = text({
  allowed: 'the path of a folder',
  problem: 'is not a path',
  accepts: (input) => input.length > 0 && !input.includes('\0'),
});

/** A file of this machine. */
export const file = text({
  allowed: 'the path of a file',
  problem: 'is not a path',
  accepts: (input) => input.length > 0 && !input.includes('\0'),
});

/** Where the store is. The password in it is never shown. */
export const databaseUrl = text({
  allowed:
    'sqlite:./relative/path.db, sqlite:/absolute/path.db, sqlite::memory: or postgres://user:password@host[,host]/name',
  problem: 'is no database URL that is known here',
  accepts: (input) => /^sqlite:(?!\/\/)./.test(input) || postgresUrls(input).length > 0,
  show: shownDatabaseUrl,
});

/** Hides a value: only that it is there is shown. */
export function secretKind<Value>(kind: Kind<Value>): Kind<Value> {
  return { ...kind, show: () => '(set, not shown)' };
}

/** The same kind, or nothing at all. Nothing is never read, it is only a default. */
export function optional<Value>(kind: Kind<Value>, whenAbsent: string): Kind<Value | undefined> {
  return { ...kind, show: (value) => (value === undefined ? whenAbsent : kind.show(value)) };
}
