import { type PasswordRule, ProviderError } from '@poolgate/provider';

/** What people add at the end of a common password so that a rule is kept. */
const TAIL = /[\p{Nd}\p{P}\p{S}\s]+$/u;

let commonOnes: Promise<ReadonlySet<string>> | undefined;

/** The list is large, and most processes never set a password: it is read when the first one is set. */
function common(): Promise<ReadonlySet<string>> {
  // The whole module stands under `default` only, once it is bundled.
  commonOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ default: { dictionary } }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  );
  return commonOnes;
}

/**
 * Refuses what is guessed first: the most used passwords, in any case, and with signs or digits added at the end.
 * @throws {ProviderError} `InvalidPasswordException`
 */
export async function checkUncommon(password: string): Promise<void> {
  const list = await common();
  if (formsOf(password).some((form) => list.has(form))) throw refused('too_common', 'Password is too common');
}

/**
 * Refuses a password that is a name of its user, or the part of an address before the `@`, in the same forms.
 * @throws {ProviderError} `InvalidPasswordException`
 */
export function checkNoOwnName(password: string, names: readonly string[]): void {
  const own = new Set(names.flatMap((name) => [name, name.split('@')[0] ?? '']).map((name) => name.toLowerCase()));
  if (formsOf(password).some((form) => own.has(form)))
    throw refused('own_name', 'Password must not be a name of the user');
}

/** @throws {ProviderError} always, `InvalidPasswordException` */
export function refuseBreached(): never {
  throw refused('leaked', 'Password has leaked elsewhere, choose another one');
}

function formsOf(password: string): readonly string[] {
  const folded = password.toLowerCase();
  return [folded, folded.replace(TAIL, '')].filter((form) => form !== '');
}

function refused(rule: PasswordRule, why: string): ProviderError {
  return new ProviderError('InvalidPasswordException', `Password did not conform with policy: ${why}`, {
    brokenRules: [rule],
  });
}
