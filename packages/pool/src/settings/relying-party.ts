import { isIP } from 'node:net';
import type { WebAuthnSettings } from '../store/pool-and-client-settings.ts';

/** Why passkeys cannot be used with these settings: which setting has to change, and what is wrong with it. */
export interface RelyingPartyProblem {
  readonly about: 'relyingPartyId' | 'origins';
  /** The wrong value; undefined if no single value is wrong. */
  readonly value: string | undefined;
  /** What is wrong with it, without the value. */
  readonly problem: string;
}

/** Cognito's maximum length of a relying party id. */
const MAX_ID_LENGTH = 127;

const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
/** In the form of origins: lowercase, without a trailing dot. A last label without a letter would be part of an IP address. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)*(?=[a-z\\d-]*[a-z])${LABEL}$`);

/** Android's name for an application: the digest of its signing certificate. */
const ANDROID = /^android:apk-key-hash:[\w-]{43}$/;

const ID_RULES: readonly { readonly isSatisfiedBy: (id: string) => boolean; readonly problem: string }[] = [
  {
    isSatisfiedBy: (id) => isIP(id.replace(/^\[(.*)\]$/, '$1')) === 0,
    problem: 'is an IP address, and passkeys belong to names',
  },
  {
    isSatisfiedBy: (id) => id.length <= MAX_ID_LENGTH && DOMAIN.test(id),
    problem: 'is not a domain name in lower case',
  },
  {
    isSatisfiedBy: (id) => id === 'localhost' || id.includes('.'),
    problem: 'is a name without a dot, for which browsers make no passkeys, localhost apart',
  },
];

/** Returns why a text cannot be a relying party id; undefined if it can. */
export function findRelyingPartyIdProblem(relyingPartyId: string): string | undefined {
  return ID_RULES.find(({ isSatisfiedBy }) => !isSatisfiedBy(relyingPartyId))?.problem;
}

/** Whether passkeys may be created and used on an origin. Applications count only if they are listed. */
export function isAllowedOrigin(
  { relyingPartyId, origins }: Pick<WebAuthnSettings, 'relyingPartyId' | 'origins'>,
  origin: string,
): boolean {
  if (origins.length > 0) return origins.includes(origin);
  return !ANDROID.test(origin) && originProblem(relyingPartyId, origin) === undefined;
}

/**
 * Returns why a relying party's passkeys cannot be used on its origins; undefined if they can. An origin is https at or below the relying
 * party's name, http on localhost only, or an Android application.
 * @see https://www.w3.org/TR/webauthn-3/#rp-id
 */
export function relyingPartyProblem({
  relyingPartyId,
  origins,
}: Pick<WebAuthnSettings, 'relyingPartyId' | 'origins'>): RelyingPartyProblem | undefined {
  const idProblem = findRelyingPartyIdProblem(relyingPartyId);
  if (idProblem !== undefined) return { about: 'relyingPartyId', value: relyingPartyId, problem: idProblem };
  if (origins.length === 0) return { about: 'origins', value: undefined, problem: 'names no origin' };
  for (const origin of origins) {
    const problem = originProblem(relyingPartyId, origin);
    if (problem !== undefined) return { about: 'origins', value: origin, problem };
  }
  return undefined;
}

function originProblem(relyingPartyId: string, origin: string): string | undefined {
  if (ANDROID.test(origin)) return undefined;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.origin !== origin || !/^https?:$/.test(url.protocol)) return 'is not an origin as browsers write it';
  if (!isSubdomain(url.hostname, relyingPartyId))
    return `is neither at the relying party ${relyingPartyId} nor below it`;
  if (url.protocol !== 'https:' && !isSubdomain(url.hostname, 'localhost')) return 'is not https, and not on localhost';
  return undefined;
}

function isSubdomain(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}
