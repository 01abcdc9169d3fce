import type { PasskeyFailure } from '../passkeys/passkey-failure.ts';
import type { RouteResponse } from '../transport/routes.ts';
import { toUserHandle } from './account-profile.ts';
import {
  type AccountDependencies,
  type ChangeOptions,
  type ChangeOutcome,
  dropLoginIfEnded,
  toEndSessionsBody,
} from './account-requests.ts';

/** A passkey in the service's responses. */
export type Passkey = RouteResponse<'passkeyList'>['passkeys'][number];

/** The outcome of creating a passkey. */
export type PasskeyCreation =
  | { readonly kind: 'created'; readonly credentialId: string }
  | { readonly kind: PasskeyFailure };

/** The passkeys of the signed-in user. Changes require a recent login; otherwise they fail with `reauthentication_required`. */
export interface Passkeys {
  /** @throws {PoolgateError} */
  list(): Promise<readonly Passkey[]>;
  /** Creates a passkey on this device or another one. Call it from a click handler. @throws {PoolgateError} */
  create(options?: { readonly name?: string; readonly signal?: AbortSignal }): Promise<PasskeyCreation>;
  /** @throws {PoolgateError} `passkey_not_found` */
  rename(credentialId: string, name: string): Promise<Passkey>;
  /** Removes a passkey from the account and from the browser's list. @throws {PoolgateError} `passkey_not_found` */
  remove(credentialId: string, options?: ChangeOptions): Promise<ChangeOutcome>;
}

/** Creates the methods for passkeys. */
export function createPasskeys(dependencies: AccountDependencies): Passkeys {
  const { transport } = dependencies;
  const rename: Passkeys['rename'] = async (credentialId, name) => {
    const params = { credential_id: credentialId };
    return (await transport.send('passkeyRename', { params, body: { name } })).passkey;
  };
  return {
    list: async () => (await transport.send('passkeyList')).passkeys,
    rename,
    async create({ name, signal } = {}) {
      const options = await transport.send('passkeyStart');
      const made = await dependencies.passkeys.create(options as PublicKeyCredentialCreationOptionsJSON, signal);
      if ('failure' in made) return { kind: made.failure };
      const { id } = JSON.parse(made.credential) as { readonly id: string };
      await completeRegistration(dependencies, { rpId: options.rp.id, credentialId: id }, made.credential);
      if (name !== undefined) await rename(id, name);
      return { kind: 'created', credentialId: id };
    },
    async remove(credentialId, options = {}) {
      const body = { credential_id: credentialId, ...toEndSessionsBody(options) };
      const answer = await transport.send('passkeyDelete', { body });
      await signalRemoval(dependencies, credentialId, answer.login_ended === true);
      return dropLoginIfEnded(dependencies, answer);
    },
  };
}

/** If the service rejects a new passkey, the browser should not keep it. */
async function completeRegistration(
  { transport, passkeys }: AccountDependencies,
  facts: { readonly rpId: string; readonly credentialId: string },
  credential: string,
): Promise<void> {
  try {
    await transport.send('passkeyComplete', { body: { credential } });
  } catch (error) {
    await passkeys.signal('unknownCredential', facts);
    throw error;
  }
}

async function signalRemoval(
  dependencies: AccountDependencies,
  credentialId: string,
  loginEnded: boolean,
): Promise<void> {
  const { transport, passkeys, parameters } = dependencies;
  const { rp_id: rpId } = (await parameters()).passkeys;
  if (rpId === null) return;
  await passkeys.signal('unknownCredential', { rpId, credentialId });
  if (loginEnded) return;
  const [{ user }, { passkeys: left }] = await Promise.all([
    transport.send('userProfile'),
    transport.send('passkeyList'),
  ]);
  const allAcceptedCredentialIds = left.map(({ credential_id }) => credential_id);
  await passkeys.signal('allAcceptedCredentials', { rpId, userId: toUserHandle(user.sub), allAcceptedCredentialIds });
}
