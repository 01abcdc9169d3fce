import type { ProviderError } from '@poolgate/provider';
import type { GatewayDeps } from './deps.ts';
import { type GatewayError, invalidFieldError } from './gateway-errors.ts';

/** The default size of a page. */
export const DEFAULT_LIMIT = '20';

/** A cursor that the provider does not know: 422. */
export function invalidCursorError(error?: ProviderError): GatewayError {
  return invalidFieldError('cursor', 'refused', 'is not a cursor of this list', error);
}

const PURPOSE = 'admin-list-cursor';

/** Encrypts a position in a list, valid for the same query only. */
export function encryptCursor({ keyRing }: Pick<GatewayDeps, 'keyRing'>, question: string, place: string): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(place, 'utf8'), question);
}

/**
 * Decrypts a cursor of the same query.
 * @throws {GatewayError} validation_failed
 */
export function decryptCursor({ keyRing }: Pick<GatewayDeps, 'keyRing'>, question: string, cursor: string): string {
  const place = keyRing.decrypt(PURPOSE, cursor, question);
  if (place === undefined) throw invalidCursorError();
  return Buffer.from(place).toString('utf8');
}
