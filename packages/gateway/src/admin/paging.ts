import type { ProviderError } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { type GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';

/** The size of a page for who does not say. */
export const DEFAULT_LIMIT = '20';

/** A cursor that the provider does not know: 422. */
export function invalidCursorError(error?: ProviderError): GatewayError {
  return invalidFieldError('cursor', 'refused', 'is no cursor of this list', error);
}

const PURPOSE = 'admin-list-cursor';

/** A place in a list that is good for the same question only. */
export function encryptCursor({ keyRing }: Pick<GatewayDeps, 'keyRing'>, question: string, place: string): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(place, 'utf8'), question);
}

/**
 * The place of a cursor that was given for this question.
 * @throws {GatewayError} validation_failed
 */
export function decryptCursor({ keyRing }: Pick<GatewayDeps, 'keyRing'>, question: string, cursor: string): string {
  const place = keyRing.decrypt(PURPOSE, cursor, question);
  if (place === undefined) throw invalidCursorError();
  return Buffer.from(place).toString('utf8');
}
