import type { AdminScope, CallContext } from '@poolgate/provider';
import { type ProtocolErrorName, WireError } from '@poolgate/provider/aws-json';
import type { GatewayDeps } from '../deps.ts';
import { proveAdmin } from '../guards/admin-key.ts';
import { AdminRefusal, type AdminRefusalReason, noteRefusal } from '../guards/admin-refusals.ts';
import type { WireCall } from './wire.ts';

/**
 * Lets an admin operation of the wire endpoint through for an admin key with this scope, in either form.
 *
 * @throws {WireError} in the names that AWS uses
 */
export async function authorizeWireAdmin(
  deps: GatewayDeps,
  call: WireCall,
  scope: AdminScope,
): Promise<Pick<CallContext, 'actor' | 'region'>> {
  try {
    const { keyId, region } = await proveAdmin(deps, call.signed, 'cognito-idp', scope);
    return { actor: { kind: 'admin', id: keyId }, ...(region !== undefined && { region }) };
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    await noteRefusal(deps, error, call);
    throw new WireError(WIRE_CODES[error.reason], error.message, { cause: error });
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
