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

/** The contacts for account recovery that can be reached, in the pool's order. */
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
 * The same for a recovery request. It depends only on the pool, so it fails alike for every name.
 * @throws {ProviderError} `NotAuthorizedException`: administrators reset passwords here; `UnsupportedOperationException`: nothing can be
 *   sent
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

/** The first of these contacts that a user has, verified or not. */
export function findRecoveryContact(attributes: Attributes, wanted: readonly ContactAttribute[]): Contact | undefined {
  const attribute = wanted.find((name) => attributes[name]);
  return attribute && createContact(attribute, attributes[attribute] ?? '');
}

/** The first of these contacts that a user has verified. */
export function findVerifiedRecoveryContact(
  attributes: Attributes,
  wanted: readonly ContactAttribute[],
): Contact | undefined {
  const attribute = wanted.find((name) => attributes[name] && attributes[`${name}_verified`] === 'true');
  return attribute && createContact(attribute, attributes[attribute] ?? '');
}
