import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit, requireSender } from '../delivery/deliver-after-commit.ts';
import type { CodeMessagePorts } from '../delivery/delivery-ports.ts';
import { checkAttributes, checkRemoval, checkRequiredAttributes, parseAttributes } from '../identity/attributes.ts';
import { type Contact, createContact, toCodeDeliveryDetails } from '../identity/contacts.ts';
import type { ClockPort, EventPorts, Transaction } from '../kernel/ports.ts';
import { type SendCodeRequest, sendCode } from '../proofs/codes/send-code.ts';
import { chooseDisplayName } from '../settings/sign-in-names.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type AuthorizedUser, lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import {
  CONTACT_CODE_PURPOSES,
  computeUserAttributeChange,
  findUserContact,
  requireContactAttribute,
} from '../users/attribute-changes.ts';
import { refuseProviderNames } from '../users/provider-usernames.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import type { OperationTable } from './operation-table.ts';
import { verifyUserAttribute } from './verify-user-attribute.ts';
import { writeAttributes } from './write-user-attributes.ts';

type AttributeOperation =
  | 'deleteUserAttributes'
  | 'getUserAttributeVerificationCode'
  | 'updateUserAttributes'
  | 'verifyUserAttribute';

/** Operations of users on their own attributes. */
export const userAttributeOperations: OperationTable<AttributeOperation> = {
  deleteUserAttributes,
  getUserAttributeVerificationCode: sendVerificationCode,
  updateUserAttributes,
  verifyUserAttribute,
};

/**
 * A contact that must be verified before a change stays unchanged. The new one waits together with the code that was sent to it.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserAttributes.html
 */
async function updateUserAttributes(
  ports: OwnAccountPorts,
  input: Input<'UpdateUserAttributes'>,
): Promise<Output<'UpdateUserAttributes'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool } = access;
  const requested = parseAttributes(pool, input.UserAttributes);
  checkAttributeChanges(access, access.user, requested);
  await refuseProviderNames(ports, pool, { attributes: requested });
  for (const { channel } of computeUserAttributeChange(pool.settings, access.user.attributes, requested)
    .contactsToVerify) {
    requireSender(ports, channel);
  }
  const nowMs = ports.clock.now();
  const proving = await ports.store.write(async (transaction) => {
    const { user } = await lockAuthorizedUser(transaction, access);
    checkAttributeChanges(access, user, requested);
    const change = computeUserAttributeChange(pool.settings, user.attributes, requested);
    await writeAttributes(ports, transaction, { pool, user, change, isReversible: true, nowMs });
    const changed = { ...user, attributes: change.attributes };
    const about = { source: 'CustomMessage_UpdateUserAttribute' } as const;
    for (const contact of change.contactsToVerify) {
      await sendContactCode(ports, transaction, pool, changed, contact, about);
    }
    return change.contactsToVerify;
  });
  await deliverAfterCommit(ports);
  return proving.length === 0 ? {} : { CodeDeliveryDetailsList: proving.map(toCodeDeliveryDetails) };
}

/** @throws {ProviderError} an attribute that is unknown, not writable, against the schema, or required and removed */
function checkAttributeChanges(
  { pool, client }: AuthorizedUser,
  { attributes }: UserRecord,
  requested: UserRecord['attributes'],
): void {
  checkAttributes(pool, client, requested, attributes);
  checkRequiredAttributes(pool, { ...attributes, ...requested });
}

/**
 * Sends the code that verifies a contact. Throws if the code cannot be sent, so that the contact does not change.
 * @param about the limits that apply, if not those of a user's request; and the reason for the trigger, if the user did not request a code
 */
export async function sendContactCode(
  ports: CodeMessagePorts & EventPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  contact: Contact,
  about: Pick<SendCodeRequest, 'limitedAs' | 'source'> = {},
): Promise<void> {
  const purpose = CONTACT_CODE_PURPOSES[contact.attribute];
  const message = {
    username: user.username,
    shownName: chooseDisplayName(pool.settings, user),
    locale: user.attributes.locale,
    ...about,
  };
  const refusal = await sendCode(ports, transaction, pool, { purpose, contact, ...message });
  if (refusal !== undefined) throw refusal;
}

async function deleteUserAttributes(
  ports: OwnAccountPorts,
  input: Input<'DeleteUserAttributes'>,
): Promise<Output<'DeleteUserAttributes'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool, client } = access;
  const names = input.UserAttributeNames;
  const requested = Object.fromEntries(names.map((name) => [name, '']));
  const nowMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    const { user } = await lockAuthorizedUser(transaction, access);
    checkRemoval(pool, client, names, user.attributes);
    const change = computeUserAttributeChange(pool.settings, user.attributes, requested);
    await writeAttributes(ports, transaction, { pool, user, change, isReversible: true, nowMs });
  });
  await deliverAfterCommit(ports);
  return {};
}

/** Sends it to the waiting contact, if any; otherwise to the user's current one. */
async function sendVerificationCode(
  ports: OwnAccountPorts,
  input: Input<'GetUserAttributeVerificationCode'>,
): Promise<Output<'GetUserAttributeVerificationCode'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool } = access;
  const attribute = requireContactAttribute(input.AttributeName);
  requireSender(ports, createContact(attribute, '').channel);
  const contact = await ports.store.write(async (transaction) => {
    const { user } = await lockAuthorizedUser(transaction, access);
    const found =
      (await findPendingContact(ports, transaction, pool, user, attribute)) ??
      findUserContact(user.attributes, attribute);
    if (found === undefined) throw new ProviderError('InvalidParameterException', `The user has no ${attribute}.`);
    await sendContactCode(ports, transaction, pool, user, found);
    return found;
  });
  await deliverAfterCommit(ports);
  return { CodeDeliveryDetails: toCodeDeliveryDetails(contact) };
}

async function findPendingContact(
  { clock }: ClockPort,
  transaction: Transaction<'codes'>,
  pool: PoolRecord,
  { username }: UserRecord,
  attribute: Contact['attribute'],
): Promise<Contact | undefined> {
  if (!pool.settings.requireVerificationBeforeUpdate.includes(attribute)) return undefined;
  const code = await transaction.codes.byPurpose(pool.id, username, CONTACT_CODE_PURPOSES[attribute]);
  return code && code.expiresAtMs > clock.now() ? createContact(attribute, code.destination) : undefined;
}
