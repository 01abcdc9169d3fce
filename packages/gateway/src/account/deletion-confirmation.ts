import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** Where a request may carry its confirmation. */
interface DeletionRequest {
  readonly body: { readonly confirm?: boolean };
  readonly query: { readonly confirm?: string };
}

/**
 * Lets a deletion through that says that it is meant: `true` in the body, or in the query. Nothing may say the contrary.
 * @throws {GatewayError} validation_failed
 */
export function requireDeletionConfirmation({ body, query }: DeletionRequest): void {
  const said = [body.confirm, query.confirm === undefined ? undefined : query.confirm === 'true'];
  const isMeant = said.includes(true) && !said.includes(false);
  if (!isMeant) throw invalidFieldError('confirm', 'required', 'must be true');
}
