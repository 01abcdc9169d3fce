import type { AdminScope, CallContext } from '@poolgate/provider';
import { type AwsJsonRequest, ProtocolError, type ProtocolErrorName } from '@poolgate/provider/aws-json';
import { verifyAdminKey } from '../guards/admin-key.ts';
import { AdminKeyError, type AdminKeyErrorReason, recordRefusedKey } from '../guards/admin-key-errors.ts';
import type { RawRequest } from '../guards/sigv4-canonical.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** A request to the Cognito-compatible API, including the input of its signature. */
export interface CognitoApiRequest extends AwsJsonRequest {
  readonly signed: RawRequest;
}

/**
 * Authorizes an admin operation of the Cognito-compatible API by an admin key with this scope, in either form.
 *
 * @throws {ProtocolError} with AWS's error names
 */
export async function authorizeCognitoApiAdmin(
  runtime: GatewayRuntime,
  call: CognitoApiRequest,
  scope: AdminScope,
): Promise<Pick<CallContext, 'actor' | 'region'>> {
  try {
    const { keyId, region } = await verifyAdminKey(runtime, call.signed, 'cognito-idp', scope);
    return { actor: { kind: 'admin', id: keyId }, ...(region !== undefined && { region }) };
  } catch (error) {
    if (!(error instanceof AdminKeyError)) throw error;
    await recordRefusedKey(runtime, error, call);
    throw new ProtocolError(COGNITO_API_CODES[error.reason], error.message, { cause: error });
  }
}

/** @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/CommonErrors.html */
const COGNITO_API_CODES: Readonly<Record<AdminKeyErrorReason, ProtocolErrorName>> = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  unsigned_part: 'InvalidSignatureException',
  misscoped: 'InvalidSignatureException',
  expired: 'InvalidSignatureException',
  mismatch: 'InvalidSignatureException',
  whole_key: 'UnrecognizedClientException',
  unknown_key: 'UnrecognizedClientException',
  out_of_scope: 'AccessDeniedException',
};
