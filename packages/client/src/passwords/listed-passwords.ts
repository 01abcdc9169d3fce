import { PoolgateError } from '../errors.ts';
import type { AnswerOf, BodyOf } from '../routes.ts';
import type { Transport } from '../transport.ts';
import { type PasswordPolicy, type PasswordProblem, passwordForms } from './policy.ts';

type List = BodyOf<'passwordRange'>['list'];

const PREFIX_LENGTH = 5;

/**
 * Whether the service refuses a password because it is on one of its lists. The service learns five hexadecimal digits of the SHA-1 of each
 * form of the password and not which password it is. Browsers compute no SHA-1 in a page that is neither https nor on localhost: there no
 * list is asked.
 * @throws {PoolgateError}
 */
export async function listedProblems(
  transport: Transport,
  policy: PasswordPolicy,
  password: string,
): Promise<readonly PasswordProblem[]> {
  if (globalThis.crypto?.subtle === undefined) return [];
  const isOnList = async (list: List, form: string): Promise<boolean> => {
    const digest = await sha1Of(form);
    const suffixes = await suffixesOf(transport, list, digest.slice(0, PREFIX_LENGTH));
    return suffixes.includes(digest.slice(PREFIX_LENGTH));
  };
  if (policy.refuse_common) {
    for (const form of passwordForms(password)) if (await isOnList('common', form)) return ['password_too_common'];
  }
  return policy.refuse_leaked && (await isOnList('leaked', password)) ? ['password_leaked'] : [];
}

async function suffixesOf(
  transport: Transport,
  list: List,
  prefix: string,
): Promise<AnswerOf<'passwordRange'>['suffixes']> {
  try {
    return (await transport.send('passwordRange', { body: { list, prefix } })).suffixes;
  } catch (error) {
    // A replica of an older release has no lists to ask.
    if (error instanceof PoolgateError && error.status === 404) return [];
    throw error;
  }
}

async function sha1Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
