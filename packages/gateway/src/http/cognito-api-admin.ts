import type { AdminScope, CallContext } from '@poolgate/provider';
import {
  type AwsJsonRequest,
  findOperationName,
  ProtocolError,
  type ProtocolErrorName,
} from '@poolgate/provider/aws-json';
import { ADMIN_GROUP_SCOPE } from '../guards/admin-groups.ts';
import { verifyAdminKey } from '../guards/admin-key.ts';
import {
  AdminKeyError,
  type AdminKeyErrorReason,
  missingScopeError,
  recordRefusedKey,
} from '../guards/admin-key-errors.ts';
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
    const { keyId, region, scopes } = await verifyAdminKey(runtime, call.signed, 'cognito-idp', scope);
    if (!scopes.has(ADMIN_GROUP_SCOPE) && addsToAdminGroup(runtime, call))
      throw missingScopeError(ADMIN_GROUP_SCOPE, { keyId });
    return { actor: { kind: 'admin', id: keyId }, ...(region !== undefined && { region }) };
  } catch (error) {
    if (!(error instanceof AdminKeyError)) throw error;
    await recordRefusedKey(runtime, error, call);
    throw new ProtocolError(COGNITO_API_CODES[error.reason], error.message, { cause: error });
  }
}

/** Whether a request adds a user to an admin group of the served pool. A body that cannot be parsed counts as one that does. */
function addsToAdminGroup({ userPoolId, settings }: GatewayRuntime, { headers, body }: CognitoApiRequest): boolean {
  if (settings.adminGroups.length === 0 || findOperationName(headers) !== 'AdminAddUserToGroup') return false;
  const { UserPoolId, GroupName } = parseInput(body);
  if (typeof UserPoolId !== 'string' || typeof GroupName !== 'string') return true;
  return UserPoolId === userPoolId && settings.adminGroups.includes(GroupName);
}

function parseInput(body: CognitoApiRequest['body']): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) as object | null) };
  } catch {
    return {};
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
