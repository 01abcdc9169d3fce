import type { RouteResponse } from '../transport/routes.ts';
import { type AccountDependencies, type PageOf, type PageRequest, toPageQuery } from './account-requests.ts';

/** A user in the service's responses. */
export type User = RouteResponse<'userProfile'>['user'];

/** The destination of a code. */
export type CodeDelivery = RouteResponse<'attributeCode'>['code_delivery'][number];

/** An attribute that a code can verify. */
export type Contact = 'email' | 'phone_number';

/** Something that happened to the account. */
export type AccountEvent = RouteResponse<'userEvents'>['events'][number];

/** Everything that the service stores about the user. */
export type AccountExport = Omit<RouteResponse<'userExport'>, 'status' | 'message' | 'data'>;

/** The account of the signed-in user. */
export interface Profile {
  /** @throws {PoolgateError} */
  show(): Promise<User>;
  /**
   * Changes attributes. A new email address or phone number takes effect once it is verified.
   * @throws {PoolgateError} `reauthentication_required` for a new address
   */
  update(
    attributes: Readonly<Record<string, string>>,
  ): Promise<{ readonly user: User; readonly codesSent: readonly CodeDelivery[] }>;
  /** Sends a new verification code. @throws {PoolgateError} */
  sendCode(contact: Contact): Promise<readonly CodeDelivery[]>;
  /** Verifies an address or phone number with its code. @throws {PoolgateError} */
  verify(contact: Contact, code: string): Promise<void>;
  /** Lists what happened to the account, newest first. @throws {PoolgateError} */
  events(page?: PageRequest): Promise<PageOf<AccountEvent>>;
  /** Returns everything that the service stores about the user. @throws {PoolgateError} `reauthentication_required` */
  exportData(): Promise<AccountExport>;
  /**
   * Disables the account, ends this login and every other one, and deletes the account after a grace period unless the user signs in and
   * keeps it. Available if the service's `capabilities` contain `schedule_deletion`.
   * @returns when it will be deleted; ISO 8601, UTC
   * @throws {PoolgateError} `reauthentication_required`, `feature_disabled`
   */
  scheduleDeletion(): Promise<{ readonly deletionAt: string }>;
  /** Deletes the account permanently and the device's local secret. @throws {PoolgateError} `reauthentication_required` */
  deleteAccount(): Promise<void>;
}

/** Creates the methods for the account itself. */
export function createProfile(dependencies: AccountDependencies): Profile {
  const { transport } = dependencies;
  return {
    show: async () => (await transport.send('userProfile')).user,
    async update(attributes) {
      const { user, code_delivery: codesSent } = await transport.send('userUpdate', { body: { attributes } });
      await signalUserDetails(dependencies, user);
      return { user, codesSent };
    },
    sendCode: async (attribute) => (await transport.send('attributeCode', { body: { attribute } })).code_delivery,
    verify: async (attribute, code) => void (await transport.send('attributeVerify', { body: { attribute, code } })),
    async events(page = {}) {
      const answer = await transport.send('userEvents', { query: toPageQuery(page) });
      return { items: answer.events, nextCursor: answer.next_cursor };
    },
    async exportData() {
      const { status: _status, message: _message, data: _data, ...exported } = await transport.send('userExport');
      return exported;
    },
    async scheduleDeletion() {
      const { deletion_at: deletionAt } = await transport.send('userDeletionSchedule', { body: { confirm: true } });
      await dependencies.keeper.drop();
      return { deletionAt };
    },
    deleteAccount: () => deleteAccount(dependencies),
  };
}

/** Browsers list passkeys under the name from their creation. This gives them the new one. */
async function signalUserDetails(
  { parameters, passkeys }: AccountDependencies,
  { sub, email, username }: User,
): Promise<void> {
  const { passkeys: facts } = await parameters();
  if (facts.rp_id === null) return;
  const name = email ?? username;
  await passkeys.signal('currentUserDetails', {
    rpId: facts.rp_id,
    userId: toUserHandle(sub),
    name,
    displayName: name,
  });
}

/** Returns the embedded pool's WebAuthn user handle: base64url of the `sub`. */
export function toUserHandle(sub: string): string {
  return btoa(sub).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function deleteAccount({ transport, keeper, devices, parameters }: AccountDependencies): Promise<void> {
  const username = await keeper.username();
  await transport.send('userDelete', { body: { confirm: true } });
  try {
    const { provider } = await parameters();
    if (username !== null) await devices.forget({ userPoolId: provider.user_pool_id, username });
  } finally {
    // Last, because listeners hear of it before the caller does.
    await keeper.drop();
  }
}
