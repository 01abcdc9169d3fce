import { toHex } from '@poolgate/srp';
import type { PoolgateError } from '../transport/poolgate-error.ts';
import type { RouteBody } from '../transport/routes.ts';
import type { Transport } from '../transport/transport.ts';
import { listPasswordVariants, type PasswordPolicy, type PasswordProblem } from './password-policy.ts';

const PREFIX_LENGTH = 5;

/**
 * Whether one of the service's blocklists contains the password. The service learns five hexadecimal digits of each form's SHA-1, but not
 * the password. Browsers compute SHA-1 only on https or localhost pages; on other pages the lists are skipped.
 * @throws {PoolgateError}
 */
export async function findListedProblems(
  transport: Transport,
  policy: PasswordPolicy,
  password: string,
): Promise<readonly PasswordProblem[]> {
  if (globalThis.crypto?.subtle === undefined) return [];
  const isOnList = async (list: RouteBody<'passwordRange'>['list'], form: string): Promise<boolean> => {
    const digest = toHex(
      new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(form))),
    ).toUpperCase();
    const body = { list, prefix: digest.slice(0, PREFIX_LENGTH) };
    const { suffixes } = await transport.send('passwordRange', { body }).catch(toEmptyRange);
    return suffixes.includes(digest.slice(PREFIX_LENGTH));
  };
  if (policy.refuse_common) {
    for (const form of listPasswordVariants(password))
      if (await isOnList('common', form)) return ['password_too_common'];
  }
  return policy.refuse_leaked && (await isOnList('leaked', password)) ? ['password_leaked'] : [];
}

/** A replica with an older release has no lists. */
function toEmptyRange(error: PoolgateError): { readonly suffixes: readonly string[] } {
  if (error.status === 404) return { suffixes: [] };
  throw error;
}
