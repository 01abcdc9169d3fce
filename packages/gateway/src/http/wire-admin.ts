import type { AdminScope } from '@poolgate/provider';
import { type ProtocolErrorName, WireError } from '@poolgate/provider/aws-json';
import type { GatewayDeps } from '../deps.ts';
import { AdminRefusal, type AdminRefusalReason, proveAdmin } from '../guards/admin-key.ts';
import type { RawRequest } from '../guards/sigv4-canonical.ts';

/**
 * Lets an admin operation of the wire endpoint through for an admin key with this scope, in either form.
 *
 * @throws {WireError} in the names that AWS uses
 */
export async function authorizeWireAdmin(deps: GatewayDeps, request: RawRequest, scope: AdminScope): Promise<void> {
  try {
    await proveAdmin(deps, request, 'cognito-idp', scope);
  } catch (error) {
    if (error instanceof AdminRefusal) throw new WireError(WIRE_CODES[error.reason], error.message, { cause: error });
    throw error;
  }
}

/** @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/CommonErrors.html */
const WIRE_CODES: Readonly<Record<AdminRefusalReason, ProtocolErrorName>> = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  unsigned_part: 'InvalidSignatureException',
  misscoped: 'InvalidSignatureException',
  expired: 'InvalidSignatureException',
  mismatch: 'InvalidSignatureException',
  unknown_key: 'UnrecognizedClientException',
  out_of_scope: 'AccessDeniedException',
};
