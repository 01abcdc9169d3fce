import { relyingPartyProblem } from '@poolgate/pool';
import { defineDerivedSetting, defineSetting } from './setting.ts';
import type { ReadResult, ValueKind } from './value-kinds.ts';
import { booleanKind, createListKind, createOptionalKind, createTextKind } from './value-kinds.ts';

/** Whether a relying party is valid at all, without its origins. */
const relyingPartyId: ValueKind<string> = {
  allowed: 'localhost, or a lowercase domain name that is the host of every origin or a parent domain of it',
  read(input): ReadResult<string> {
    if (typeof input !== 'string') return { ok: false, problem: 'is not text' };
    const found = relyingPartyProblem({ relyingPartyId: input, origins: [] });
    return found?.about === 'relyingPartyId' ? { ok: false, problem: found.problem } : { ok: true, value: input };
  },
  show: (value) => value,
};

/** Errors of an origin are reported together with the relying party. */
const passkeyOrigin = createTextKind({
  allowed: 'https://<host> at IDP_RP_ID or below it, http://localhost with a port, or android:apk-key-hash:<digest>',
  problem: 'is not text',
  accepts: (input) => input.length > 0,
});

interface RelyingParty {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/** Host and origin of a base URL; undefined if browsers support no passkeys there, for example for an IP address. */
function findRelyingParty(baseUrl: string): RelyingParty | undefined {
  const place = { rpId: new URL(baseUrl).hostname, origins: [new URL(baseUrl).origin] };
  const problem = relyingPartyProblem({ relyingPartyId: place.rpId, origins: place.origins });
  return problem === undefined ? place : undefined;
}

const NO_RELYING_PARTY = '(none, because BASE_URL does not allow passkeys)';

/** Passkeys: whether they are enabled, and where. */
export const passkeySettings = {
  allowPasskeys: defineSetting('IDP_ALLOW_PASSKEYS', booleanKind, {
    default: true,
    help: '`false` disables the passkey routes and passkey login. The other first factors stay available.',
  }),
  rpId: defineDerivedSetting('IDP_RP_ID', createOptionalKind(relyingPartyId, NO_RELYING_PARTY), {
    defaultText: 'the host of `BASE_URL`',
    from: ({ baseUrl }): string | undefined => (baseUrl === undefined ? 'localhost' : findRelyingParty(baseUrl)?.rpId),
    help: 'The relying party ID of passkeys. Changing it invalidates every existing passkey. If `BASE_URL` is neither https nor localhost, or contains an IP address, passkeys are unavailable until this and IDP_ORIGINS are set.',
  }),
  origins: defineDerivedSetting('IDP_ORIGINS', createOptionalKind(createListKind(passkeyOrigin), '(from PORT)'), {
    defaultText: 'the origin of `BASE_URL`',
    from: ({ baseUrl }): readonly string[] | undefined =>
      baseUrl === undefined ? undefined : (findRelyingParty(baseUrl)?.origins ?? []),
    help: 'The origins of the pages and apps where passkeys are created and used. They must match exactly.',
  }),
};
