import { ProviderError } from '@poolgate/provider';
import type { SendersPort } from '../delivery/delivery-ports.ts';
import type { Attributes } from '../identity/attributes.ts';
import { type Contact, createContact } from '../identity/contacts.ts';
import type { PoolSettings, RecoveryMechanism } from '../store/pool-and-client-settings.ts';

type ContactAttribute = Contact['attribute'];

const ATTRIBUTES: Readonly<Record<RecoveryMechanism, ContactAttribute | null>> = {
  verified_email: 'email',
  verified_phone_number: 'phone_number',
  admin_only: null,
};

/** The contacts by which users of a pool get back in, the first one that a user has: those to which something can be sent. */
export function listRecoveryAttributes(
  { senders }: SendersPort,
  { recovery }: Pick<PoolSettings, 'recovery'>,
): readonly ContactAttribute[] {
  return recovery
    .map((mechanism) => ATTRIBUTES[mechanism])
    .filter((attribute) => attribute !== null)
    .filter((attribute) => senders[createContact(attribute, '').channel] !== undefined);
}

/**
 * The same where somebody asks for it. It depends on the pool alone: whoever was named is refused alike.
 * @throws {ProviderError} `NotAuthorizedException`: administrators reset passwords here; `UnsupportedOperationException`: nothing can be sent
 */
export function requireRecoveryAttributes(
  ports: SendersPort,
  settings: Pick<PoolSettings, 'recovery'>,
): readonly [ContactAttribute, ...ContactAttribute[]] {
  if (settings.recovery.every((mechanism) => ATTRIBUTES[mechanism] === null)) {
    throw new ProviderError('NotAuthorizedException', 'Contact administrator to reset password.', {
      reason: 'flow_disabled',
    });
  }
  const [first, ...others] = listRecoveryAttributes(ports, settings);
  if (first !== undefined) return [first, ...others];
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/** The first of these contacts that a user has, proven or not. */
export function findRecoveryContact(attributes: Attributes, wanted: readonly ContactAttribute[]): Contact | undefined {
  const attribute = wanted.find((name) => attributes[name]);
  return attribute && createContact(attribute, attributes[attribute] ?? '');
}

/** The first of these contacts that a user has proven. */
export function findVerifiedRecoveryContact(
  attributes: Attributes,
  wanted: readonly ContactAttribute[],
): Contact | undefined {
  const attribute = wanted.find((name) => attributes[name] && attributes[`${name}_verified`] === 'true');
  return attribute && createContact(attribute, attributes[attribute] ?? '');
}
