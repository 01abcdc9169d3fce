import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** Where a request may carry its confirmation. */
interface DeletionRequest {
  readonly body: { readonly confirm?: boolean };
  readonly query: { readonly confirm?: string };
}

/**
 * Requires the confirmation of a deletion: `true` in the body or in the query, without a contradiction.
 * @throws {GatewayError} validation_failed
 */
export function requireDeletionConfirmation({ body, query }: DeletionRequest): void {
  const said = [body.confirm, query.confirm === undefined ? undefined : query.confirm === 'true'];
  const isMeant = said.includes(true) && !said.includes(false);
  if (!isMeant) throw invalidFieldError('confirm', 'required', 'must be true');
}
