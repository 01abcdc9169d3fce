import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { insertUser } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { StorePort } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { UserRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { reportTakenName } from './register-exclusive-name.ts';
import type { RegistrationRequest } from './sign-up-messages.ts';

/**
 * Registers a user that the trigger confirmed. Nothing is left to verify, and pending registrations of the name yield.
 * @returns the user, and whether the name was taken; in that case no user was created and the owner was notified
 * @throws {ProviderError} `UsernameExistsException`, if names are not hidden
 */
export async function registerConfirmedUser(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  request: RegistrationRequest,
  hidesTaken: boolean,
): Promise<{ readonly user: UserRecord; readonly isTaken: boolean }> {
  const { pool, client } = owner;
  const { user, typedName, password } = request;
  const credential = await password?.createCredential(user.username, null);
  try {
    await ports.store.write(async (transaction) => {
      await insertUser(transaction, pool, user, typedName);
      if (credential) await transaction.credentials.put(credential);
      await recordEvent(ports, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
      const confirmed = { type: 'user.confirmed', pool, user, clientId: client.id } as const;
      await recordEvent(ports, transaction, { ...confirmed, details: { how: 'trigger' } });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    const refusal = await reportTakenName(ports, owner, request, { hidesTaken, cause });
    if (!hidesTaken) throw refusal;
    return { user, isTaken: true };
  }
  return { user, isTaken: false };
}
