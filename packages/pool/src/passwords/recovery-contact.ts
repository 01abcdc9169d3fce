import { ProviderError } from '@poolgate/provider';
import type { SendersPort } from '../messages/delivery-ports.ts';
import type { PoolSettings, RecoveryMechanism } from '../settings.ts';
import type { Attributes } from '../users/attributes.ts';
import { type Contact, contactAt } from '../users/contacts.ts';

type ContactAttribute = Contact['attribute'];

const ATTRIBUTES: Readonly<Record<RecoveryMechanism, ContactAttribute | null>> = {
  verified_email: 'email',
  verified_phone_number: 'phone_number',
  admin_only: null,
};

/** The contacts by which users of a pool get back in, the first one that a user has: those to which something can be sent. */
export function recoveryAttributes(
  { senders }: SendersPort,
  { recovery }: Pick<PoolSettings, 'recovery'>,
): readonly ContactAttribute[] {
  return recovery
    .map((mechanism) => ATTRIBUTES[mechanism])
    .filter((attribute) => attribute !== null)
    .filter((attribute) => senders[contactAt(attribute, '').channel] !== undefined);
}

/**
 * The same where somebody asks for it. It depends on the pool alone: whoever was named is refused alike.
 * @throws {ProviderError} `NotAuthorizedException`: administrators reset passwords here; `UnsupportedOperationException`: nothing can be sent
 */
export function requireRecovery(
  ports: SendersPort,
  settings: Pick<PoolSettings, 'recovery'>,
): readonly [ContactAttribute, ...ContactAttribute[]] {
  if (settings.recovery.every((mechanism) => ATTRIBUTES[mechanism] === null)) {
    throw new ProviderError('NotAuthorizedException', 'Contact administrator to reset password.', {
      reason: 'flow_disabled',
    });
  }
  const [first, ...others] = recoveryAttributes(ports, settings);
  if (first !== undefined) return [first, ...others];
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/** The first of these contacts that a user has, proven or not. */
export function contactAmong(attributes: Attributes, wanted: readonly ContactAttribute[]): Contact | undefined {
  const attribute = wanted.find((name) => attributes[name]);
  return attribute && contactAt(attribute, attributes[attribute] ?? '');
}

/** The first of these contacts that a user has proven. */
export function verifiedContact(attributes: Attributes, wanted: readonly ContactAttribute[]): Contact | undefined {
  const attribute = wanted.find((name) => attributes[name] && attributes[`${name}_verified`] === 'true');
  return attribute && contactAt(attribute, attributes[attribute] ?? '');
}
