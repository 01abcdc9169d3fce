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

/** A passkey as the service shows it. */
export type Passkey = RouteResponse<'passkeyList'>['passkeys'][number];

/** What came of making a passkey. */
export type PasskeyCreation =
  | { readonly kind: 'created'; readonly credentialId: string }
  | { readonly kind: PasskeyFailure };

/** The passkeys of the user who is logged in. Changes ask for a recent login: `reauthentication_required`. */
export interface Passkeys {
  /** @throws {PoolgateError} */
  list(): Promise<readonly Passkey[]>;
  /** Makes a passkey on this device or on another one. Call it from the handler of a click. @throws {PoolgateError} */
  create(options?: { readonly name?: string; readonly signal?: AbortSignal }): Promise<PasskeyCreation>;
  /** @throws {PoolgateError} `passkey_not_found` */
  rename(credentialId: string, name: string): Promise<Passkey>;
  /** Removes a passkey, here and from the browser's list. @throws {PoolgateError} `passkey_not_found` */
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

/** A passkey that the service did not take is no use on the device. */
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
