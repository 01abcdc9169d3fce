import { ACR_LEVELS, toLevelKey } from '../settings/acr-levels.ts';
import type { IdentityProviderSettings } from '../store/pool-and-client-settings.ts';
import {
  AUTHENTICATION_METHODS,
  FEDERATED,
  type LoginAuthentication,
  MULTI_FACTOR,
} from '../tokens/authentication-methods.ts';
import type { ProviderAccount } from './provider-protocol.ts';

type Mapping = Pick<IdentityProviderSettings, 'acrMapping'>;

/** The provider's names of requested levels, space-separated; undefined if the mapping names none of them. */
export function toProviderAcrValues({ acrMapping = {} }: Mapping, levels: readonly number[]): string | undefined {
  const names = levels
    .flatMap((number) => ACR_LEVELS.filter((level) => level === number))
    .flatMap((level) => acrMapping[toLevelKey(level)] ?? []);
  return names.length === 0 ? undefined : names.join(' ');
}

const METHODS: ReadonlySet<string> = new Set([...AUTHENTICATION_METHODS, MULTI_FACTOR]);
const LOWEST_LEVEL = 1;

/**
 * How a provider authenticated a user, as its signed ID token says. As in Cognito, a level that is not mapped counts as the lowest one. No
 * trigger can change it. `fed` is always one of the methods, so that none of them counts as a proof made here.
 */
export function describeProviderSignIn(
  { acrMapping = {} }: Mapping,
  { idToken }: Pick<ProviderAccount, 'idToken'>,
): LoginAuthentication {
  const { acr, amr } = idToken ?? {};
  const told = Array.isArray(amr) ? amr.filter((method) => METHODS.has(method)) : [];
  const methods = [...new Set([FEDERATED, ...told])].join(' ');
  if (typeof acr !== 'string' || acr === '') return { methods, level: null, acr: null };
  return {
    methods,
    level: ACR_LEVELS.find((level) => acrMapping[toLevelKey(level)] === acr) ?? LOWEST_LEVEL,
    acr: null,
  };
}
