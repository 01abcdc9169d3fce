import type { ROUTES, Static } from '@poolgate/contract';
import type { Output } from '@poolgate/provider';
import { formatIsoTime } from '../kernel/times.ts';
import type { LocalPasskeyRecord } from '../records/index.ts';

/** A passkey in routes. */
type PasskeyBody = Static<(typeof ROUTES)['passkeyRename']['responses'][200]['schema']>['passkey'];

/** A passkey from the provider. */
export type ProviderPasskey = Output<'ListWebAuthnCredentials'>['Credentials'][number];

/** Data about passkeys in addition to the provider's. */
export interface PasskeyDetails {
  readonly local: Pick<LocalPasskeyRecord, 'name'> | undefined;
  /** Seconds since the epoch. */
  readonly lastUsedAt: number | undefined;
}

/** The only representation of a passkey. The user's own name has priority over the provider's. */
export function presentPasskey(passkey: ProviderPasskey, { local, lastUsedAt }: PasskeyDetails): PasskeyBody {
  return {
    credential_id: passkey.CredentialId,
    name: local?.name ?? passkey.FriendlyCredentialName,
    relying_party_id: passkey.RelyingPartyId,
    transports: passkey.AuthenticatorTransports,
    attachment: passkey.AuthenticatorAttachment ?? null,
    created_at: formatIsoTime(passkey.CreatedAt),
    last_used_at: lastUsedAt === undefined ? null : formatIsoTime(lastUsedAt),
  };
}
