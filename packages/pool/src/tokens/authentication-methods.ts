import { ACR_LEVELS, type AcrLevel, formatAcr } from '../settings/acr-levels.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { LoginRecord } from '../store/records.ts';

/** A way to prove who is signing in, by its name in the `amr` claim. */
export type AuthenticationMethod = 'pwd' | 'otp' | 'sms' | 'email_otp' | 'swk' | 'hwk';

/** All methods, in the order of the claim. */
export const AUTHENTICATION_METHODS: readonly AuthenticationMethod[] = ['pwd', 'otp', 'sms', 'email_otp', 'swk', 'hwk'];

/** The claim's name for two or more methods. */
export const MULTI_FACTOR = 'mfa';

/** The claim's name for another identity provider. The other methods of such a login are those of the provider. */
export const FEDERATED = 'fed';

type Methods = ReadonlySet<AuthenticationMethod>;

const hasPasskey = (methods: Methods): boolean => methods.has('swk') || methods.has('hwk');
const hasCode = (methods: Methods): boolean => methods.has('sms') || methods.has('email_otp');

/** What reaches each level. The first row that applies counts, so further methods never lower a level. */
const LEVELS: readonly { readonly level: AcrLevel; readonly isReached: (methods: Methods) => boolean }[] = [
  { level: 4, isReached: (methods) => methods.has('pwd') && methods.has('otp') },
  { level: 3, isReached: (methods) => hasPasskey(methods) || (methods.has('pwd') && hasCode(methods)) },
  { level: 2, isReached: hasCode },
  { level: 1, isReached: (methods) => methods.has('pwd') },
];

/** Returns the highest level that the methods reach; undefined if they reach none. */
export function determineAcrLevel(methods: Iterable<AuthenticationMethod>): AcrLevel | undefined {
  const proven: Methods = new Set(methods);
  return LEVELS.find(({ isReached }) => isReached(proven))?.level;
}

/** The part of a login that says how the user proved who they are. */
export type LoginAuthentication = Pick<LoginRecord, 'methods' | 'level' | 'acr'>;

/** Describes a login at the pool itself. No level was requested yet. */
export function describeAuthentication(proven: Iterable<AuthenticationMethod>): LoginAuthentication {
  const methods = sortMethods(proven);
  const names = methods.length > 1 ? [...methods, MULTI_FACTOR] : methods;
  return { methods: names.join(' '), level: determineAcrLevel(methods) ?? null, acr: null };
}

/** The same login for tokens that name its level, because one was requested. */
export function nameLevel(
  settings: Pick<PoolSettings, 'kept'>,
  { methods, level }: Pick<LoginAuthentication, 'level' | 'methods'>,
): LoginAuthentication {
  const reached = ACR_LEVELS.find((known) => known === level);
  return { methods, level, acr: reached === undefined ? '' : formatAcr(settings, reached) };
}

/** The same for an application that a user signs in to through another login. */
export function inheritAuthentication(
  settings: Pick<PoolSettings, 'kept'>,
  session: LoginAuthentication | undefined,
  isLevelRequested = false,
): LoginAuthentication {
  const { methods = null, level = null } = session ?? {};
  return isLevelRequested ? nameLevel(settings, { methods, level }) : { methods, level, acr: null };
}

/** The methods of a login that reach levels here. What an identity provider checked proves nothing here. */
export function readAuthenticationMethods({ methods }: Pick<LoginRecord, 'methods'>): readonly AuthenticationMethod[] {
  const names = methods?.split(' ') ?? [];
  if (names.includes(FEDERATED)) return [];
  return AUTHENTICATION_METHODS.filter((method) => names.includes(method));
}

function sortMethods(methods: Iterable<AuthenticationMethod>): readonly AuthenticationMethod[] {
  const proven: Methods = new Set(methods);
  return AUTHENTICATION_METHODS.filter((method) => proven.has(method));
}

/** The `acr` and `amr` of a login's tokens. Tokens have them only if a level was requested. */
export function createAuthenticationClaims({
  methods,
  acr,
}: LoginAuthentication): Readonly<Record<string, string | readonly string[]>> {
  if (acr === null) return {};
  const names = methods?.split(' ').filter(Boolean) ?? [];
  return { ...(acr !== '' && { acr }), amr: names };
}
