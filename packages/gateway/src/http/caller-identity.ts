import { escapeHtml } from '@poolgate/provider';
import { verifyAdminKey } from '../guards/admin-key.ts';
import { AdminKeyError, type AdminKeyErrorReason, recordRefusedKey } from '../guards/admin-key-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { CognitoApiRequest } from './cognito-api-admin.ts';

/** An answer of AWS's query protocol. */
export interface QueryResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const NO_ACCOUNT = '000000000000';

/** Whether a body asks who its caller is, as Terraform's provider does before anything else. */
export function isCallerIdentityRequest(body: string | Uint8Array): boolean {
  return new URLSearchParams(Buffer.from(body).toString('utf8')).get('Action') === 'GetCallerIdentity';
}

function toXml(status: number, body: string): QueryResponse {
  return { status, headers: { 'content-type': 'text/xml', 'cache-control': 'no-store' }, body };
}

/** The error codes of STS, which are those of every service with the query protocol. */
const CODES: Readonly<Record<AdminKeyErrorReason, string>> = {
  missing: 'MissingAuthenticationToken',
  malformed: 'IncompleteSignature',
  unsigned_part: 'SignatureDoesNotMatch',
  misscoped: 'SignatureDoesNotMatch',
  expired: 'SignatureDoesNotMatch',
  mismatch: 'SignatureDoesNotMatch',
  whole_key: 'InvalidClientTokenId',
  unknown_key: 'InvalidClientTokenId',
  out_of_scope: 'AccessDenied',
};

/**
 * Answers `sts:GetCallerIdentity`: the account, and the admin key that signed the request. Every valid key may ask.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export async function answerCallerIdentity(
  runtime: GatewayRuntime,
  request: CognitoApiRequest,
): Promise<QueryResponse> {
  const { requestId } = request;
  try {
    const { keyId } = await verifyAdminKey(runtime, request.signed, 'sts', undefined);
    const { accountId = NO_ACCOUNT } = runtime.settings;
    const arn = `arn:aws:iam::${accountId}:user/poolgate/${keyId}`;
    return toXml(
      200,
      `<GetCallerIdentityResponse xmlns="${NAMESPACE}"><GetCallerIdentityResult><Arn>${escapeHtml(arn)}</Arn><UserId>${escapeHtml(keyId)}</UserId><Account>${escapeHtml(accountId)}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>${escapeHtml(requestId)}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
    );
  } catch (error) {
    if (!(error instanceof AdminKeyError)) throw error;
    await recordRefusedKey(runtime, error, request);
    return toXml(
      403,
      `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${CODES[error.reason]}</Code><Message>${escapeHtml(error.message)}</Message></Error><RequestId>${escapeHtml(requestId)}</RequestId></ErrorResponse>`,
    );
  }
}
