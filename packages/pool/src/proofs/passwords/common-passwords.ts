import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type PasswordRule, ProviderError } from '@poolgate/provider';

/** What people append to a common password to satisfy a rule. */
const COMMON_SUFFIX = /[\p{Nd}\p{P}\p{S}\s]+$/u;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** The list is large, and most processes never set a password, so it is loaded when the first one is set. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  // When bundled, the whole module is under `default` only.
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ default: { dictionary } }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  );
  return commonPasswords;
}

/**
 * Rejects the passwords that are guessed first: the most common ones, in any case and with appended symbols or digits.
 * @throws {ProviderError} `InvalidPasswordException`
 */
export async function checkNotCommonPassword(password: string): Promise<void> {
  const list = await loadCommonPasswords();
  if (listPasswordVariants(password).some((form) => list.has(form)))
    throw passwordRefusedError('too_common', 'Password is too common');
}

/** The number of SHA-1 digits that a client sends to look up a password. */
const PREFIX_LENGTH = 5;

/** How many digests are computed before other work gets its turn. */
const DIGESTS_PER_TURN = 4_096;

let wordsByPrefix: Promise<ReadonlyMap<number, readonly string[]>> | undefined;

/**
 * Lists the suffixes of the SHA-1 digests of the most common passwords, in lowercase, that start with a prefix. Clients compare both forms
 * of a password, like {@link checkNotCommonPassword}.
 * @param prefix five hexadecimal digits
 */
export async function listCommonPasswordSuffixes(prefix: string): Promise<readonly string[]> {
  wordsByPrefix ??= indexCommonPasswords();
  const words = (await wordsByPrefix).get(Number.parseInt(prefix, 16)) ?? [];
  return words.map((word) => digestSha1(word).slice(PREFIX_LENGTH));
}

async function indexCommonPasswords(): Promise<ReadonlyMap<number, readonly string[]>> {
  const words = new Map<number, string[]>();
  let computed = 0;
  for (const word of await loadCommonPasswords()) {
    const prefix = Number.parseInt(digestSha1(word).slice(0, PREFIX_LENGTH), 16);
    words.set(prefix, [...(words.get(prefix) ?? []), word]);
    computed += 1;
    if (computed % DIGESTS_PER_TURN === 0) await setImmediate();
  }
  return words;
}

/** Uppercase hexadecimal, as in range APIs. */
function digestSha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex').toUpperCase();
}

/**
 * Rejects a password that is one of its user's names, or the part of an address before the `@`, in the same forms.
 * @throws {ProviderError} `InvalidPasswordException`
 */
export function checkNotUserName(password: string, names: readonly string[]): void {
  const own = new Set(names.flatMap((name) => [name, name.split('@')[0] ?? '']).map((name) => name.toLowerCase()));
  if (listPasswordVariants(password).some((form) => own.has(form)))
    throw passwordRefusedError('own_name', 'Password must not be a name or address of the user');
}

/** @throws {ProviderError} always, `InvalidPasswordException` */
export function throwLeakedPasswordError(): never {
  throw passwordRefusedError('leaked', 'Password has leaked elsewhere, choose another one');
}

function listPasswordVariants(password: string): readonly string[] {
  const folded = password.toLowerCase();
  return [folded, folded.replace(COMMON_SUFFIX, '')].filter((form) => form !== '');
}

function passwordRefusedError(rule: PasswordRule, why: string): ProviderError {
  return new ProviderError('InvalidPasswordException', `Password did not conform with policy: ${why}`, {
    brokenRules: [rule],
  });
}
