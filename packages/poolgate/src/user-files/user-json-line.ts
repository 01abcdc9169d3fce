import type { ExportedUser, ImportedUser } from '@poolgate/pool';
import { findJsonErrorPosition } from '@poolgate/provider';
import { createRejectedContent, type FileRecord } from './file-record.ts';

/** The first line of a file; it describes the others. */
export interface FileHeader {
  /** The version of the format. */
  readonly poolgate_users: 1;
  /** The pool that the users come from. SRP binds every password to it. */
  readonly user_pool_id: string;
  /** Whether the lines contain password verifiers. */
  readonly passwords: boolean;
  /** ISO 8601 UTC. */
  readonly exported_at: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isOneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    isText(value) && words.includes(value);
const isHex = (value: unknown): boolean => isText(value) && /^[\da-f]{1,1024}$/i.test(value);

/** The allowed values of each member of a line. */
const FIELD_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  username: isText,
  sub: isText,
  attributes: (value) => isObject(value) && Object.values(value).every(isText),
  status: isOneOf('UNCONFIRMED', 'CONFIRMED', 'FORCE_CHANGE_PASSWORD', 'RESET_REQUIRED'),
  enabled: (value) => typeof value === 'boolean',
  groups: (value) => Array.isArray(value) && value.every(isText),
  password: (value) => isObject(value) && isHex(value.salt) && isHex(value.verifier),
  preferred_mfa: (value) => value === null || isOneOf('SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP')(value),
};

/** A user as parsed from a line, checked member by member. */
interface UserLine {
  readonly username: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sub?: string;
  readonly status?: NonNullable<ImportedUser['status']>;
  readonly enabled?: boolean;
  readonly groups?: readonly string[];
  readonly password?: { readonly salt: string; readonly verifier: string };
  readonly preferred_mfa?: ImportedUser['preferredMfa'] | null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a header line; undefined if it is not a header. */
export function parseHeaderLine(text: string): FileHeader | undefined {
  const value = parseJson(text);
  const isHeader = isObject(value) && value.poolgate_users === 1 && isText(value.user_pool_id);
  return isHeader ? (value as unknown as FileHeader) : undefined;
}

/** Parses a user line; returns the user or the problem. */
export function parseUserLine(text: string): FileRecord['content'] {
  const value = parseJson(text);
  if (!isObject(value)) return createRejectedContent('json', explainNoObject(text));
  const wrong = Object.entries(value).find(
    ([name, member]) => !(Object.hasOwn(FIELD_CHECKS, name) && FIELD_CHECKS[name]?.(member)),
  );
  if (wrong !== undefined) {
    const [name] = wrong;
    return Object.hasOwn(FIELD_CHECKS, name)
      ? createRejectedContent(name, `has an invalid "${name}"`)
      : createRejectedContent('unknown_member', `has the unknown member ${formatMemberName(name)}`);
  }
  if (value.username === undefined) return createRejectedContent('username', 'has no "username"');
  const { password, preferred_mfa, ...rest } = { attributes: {}, ...value } as unknown as UserLine;
  const user: ImportedUser = {
    ...rest,
    ...(password === undefined ? {} : { password: { saltHex: password.salt, verifierHex: password.verifier } }),
    ...(preferred_mfa ? { preferredMfa: preferred_mfa } : {}),
  };
  return { user };
}

function explainNoObject(text: string): string {
  const position = findJsonErrorPosition(text);
  return position === undefined ? 'is not a JSON object' : `is invalid JSON at column ${position.column}`;
}

/** A file may come from an untrusted source: names that no setting would have are not repeated. */
function formatMemberName(name: string): string {
  return /^[\w:.-]{1,64}$/.test(name) ? `"${name}"` : '(unprintable name)';
}

/** Formats a user as a line. */
export function formatUserLine(user: ExportedUser, withPassword: boolean): string {
  const { username, sub, attributes, status, enabled, groups, password, preferredMfa } = user;
  return JSON.stringify({
    username,
    sub,
    attributes,
    status,
    enabled,
    groups,
    ...(preferredMfa ? { preferred_mfa: preferredMfa } : {}),
    ...(withPassword && password ? { password: { salt: password.saltHex, verifier: password.verifierHex } } : {}),
  });
}
