import { relyingPartyProblem } from '@poolgate/pool';
import { defineDerivedSetting, defineSetting } from './setting.ts';
import type { ReadResult, ValueKind } from './value-kinds.ts';
import { booleanKind, createListKind, createOptionalKind, createTextKind } from './value-kinds.ts';

/** Whether a relying party is valid at all, without its origins. */
const relyingPartyId: ValueKind<string> = {
  allowed: 'a domain name in lower case that is the host of every origin, or above it; or localhost',
  read(input): ReadResult<string> {
    if (typeof input !== 'string') return { ok: false, problem: 'is no text' };
    const found = relyingPartyProblem({ relyingPartyId: input, origins: [] });
    return found?.about === 'relyingPartyId' ? { ok: false, problem: found.problem } : { ok: true, value: input };
  },
  show: (value) => value,
};

/** Errors of an origin are reported together with the relying party. */
const passkeyOrigin = createTextKind({
  allowed: 'https://<host> at IDP_RP_ID or below it, http://localhost with a port, or android:apk-key-hash:<digest>',
  problem: 'is no text',
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

const NO_RELYING_PARTY = '(none: there are no passkeys at BASE_URL)';

/** Passkeys: whether they are enabled, and where. */
export const passkeySettings = {
  allowPasskeys: defineSetting('IDP_ALLOW_PASSKEYS', booleanKind, {
    default: true,
    help: 'False closes the routes of passkeys and the login with them; the other first factors stay.',
  }),
  rpId: defineDerivedSetting('IDP_RP_ID', createOptionalKind(relyingPartyId, NO_RELYING_PARTY), {
    defaultText: 'the host of `BASE_URL`',
    from: ({ baseUrl }): string | undefined => (baseUrl === undefined ? 'localhost' : findRelyingParty(baseUrl)?.rpId),
    help: 'The relying party that passkeys are made for. Whoever changes it makes the passkeys of before useless. Where `BASE_URL` is neither https nor on localhost, or names an address, there are no passkeys until both are set.',
  }),
  origins: defineDerivedSetting('IDP_ORIGINS', createOptionalKind(createListKind(passkeyOrigin), '(from PORT)'), {
    defaultText: 'the origin of `BASE_URL`',
    from: ({ baseUrl }): readonly string[] | undefined =>
      baseUrl === undefined ? undefined : (findRelyingParty(baseUrl)?.origins ?? []),
    help: 'The pages and applications on which passkeys are made and used, compared as they are.',
  }),
};
