import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts, SendersPort } from '../delivery/delivery-ports.ts';
import { type Contact, chooseContactToVerify, listContacts, toCodeDeliveryDetails } from '../identity/contacts.ts';
import { findLocalUser, userOrClientNotFoundError } from '../identity/user-records.ts';
import type { MacPorts, StorePort } from '../kernel/ports.ts';
import { hidesUsers } from '../kernel/user-existence.ts';
import { sendCode } from '../proofs/codes/send-code.ts';
import type { DecoyPorts } from '../proofs/passwords/password-ports.ts';
import { checkSecretHash, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { PoolRecord, UserWithCredential } from '../store/records.ts';
import { createLoginCandidate, deriveDecoyContact } from '../users/find-login-candidate.ts';
import type { OperationTable } from './operation-table.ts';

/** The operation with which a user who signed up requests another code. */
export const resendCodeOperations: OperationTable<'resendConfirmationCode'> = { resendConfirmationCode };

/**
 * Sends another code, which invalidates the previous one. A user without anything to confirm gets the same response if the client hides
 * users.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ResendConfirmationCode.html
 */
async function resendConfirmationCode(
  ports: NotificationPorts & DecoyPorts & SettingsPorts & DeliveryPorts & StorePort,
  input: Input<'ResendConfirmationCode'>,
): Promise<Output<'ResendConfirmationCode'>> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  const { pool, client } = owner;
  const found = await findLocalUser(ports, pool, input.Username);
  const candidate = createLoginCandidate(ports, pool, input.Username, found);
  checkSecretHash(ports, owner, [input.Username, candidate.userId], input.SecretHash);
  const decoy = deriveDecoyConfirmationContact(ports, pool, candidate.userId);
  const own = found && chooseContactToVerify(pool.settings, found.user.attributes, input.Username);
  const obstacle = findResendObstacle(ports, found, own);
  if (obstacle !== undefined && !hidesUsers(ports, client)) throw obstacle();
  const isDecoy = obstacle !== undefined || own === undefined;
  const contact = own && ports.senders[own.channel] !== undefined ? own : decoy;
  const locale = isDecoy ? undefined : found?.user.attributes.locale;
  const isResend = ports.call.hasRegistrationSession === true;
  const refusal = await ports.store.write((transaction) => {
    const names = { username: candidate.userId, shownName: input.Username };
    const message = { ...names, locale, isDecoy, isResend, linkThrough: client.id };
    const source = 'CustomMessage_ResendCode';
    return sendCode(ports, transaction, pool, { purpose: 'sign_up', contact, source, ...message });
  });
  if (refusal !== undefined) throw refusal;
  await deliverAfterCommit(ports);
  return { CodeDeliveryDetails: toCodeDeliveryDetails(contact) };
}

/** The contact that a user without contacts would have to verify. It depends only on the pool and the username. */
function deriveDecoyConfirmationContact(ports: MacPorts & SendersPort, pool: PoolRecord, userId: string): Contact {
  const { autoVerifiedAttributes } = pool.settings;
  if (autoVerifiedAttributes.length === 0) {
    throw new ProviderError('InvalidParameterException', 'Cannot resend codes. Auto verification not turned on.');
  }
  const [first, ...others] = listContacts(Object.fromEntries(autoVerifiedAttributes.map((name) => [name, userId])))
    .filter(({ channel }) => ports.senders[channel] !== undefined)
    .map(({ attribute }) => attribute);
  if (first !== undefined) return deriveDecoyContact(ports, pool, userId, [first, ...others]);
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/** Returns why a user cannot get a code, in Cognito's words. Created only when thrown, because creating it takes a measurable time. */
function findResendObstacle(
  { senders }: SendersPort,
  found: UserWithCredential | undefined,
  contact: Contact | undefined,
): (() => ProviderError) | undefined {
  if (found === undefined) return userOrClientNotFoundError;
  const { user } = found;
  if (user.status !== 'UNCONFIRMED') return alreadyConfirmedError;
  if (!user.enabled) return userDisabledError;
  return contact !== undefined && senders[contact.channel] !== undefined ? undefined : noContactError;
}

const alreadyConfirmedError = () => new ProviderError('InvalidParameterException', 'User is already confirmed.');
const userDisabledError = () =>
  new ProviderError('NotAuthorizedException', 'User is disabled.', { reason: 'user_disabled' });
const noContactError = () =>
  new ProviderError('InvalidParameterException', 'The user has no contact that a code could be sent to.');
