import type { SigningKeyDescription, SigningKeyOperations } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';
import { explainPoolRefusals } from './pool-refusals.ts';

/** GET /admin/signing-keys. */
export const listSigningKeys: Handler<'adminSigningKeyList'> = async (deps, { call }) => {
  const { Keys } = await explainPoolRefusals(requireSigningKeys(deps).list({ UserPoolId: deps.userPoolId }, call), {});
  const keys = Keys.map(presentSigningKey);
  return { status: 200, body: { status: 'success', message: 'The signing keys.', data: {}, keys } };
};

/** POST /admin/signing-keys/rotate. */
export const rotateSigningKeys: Handler<'adminSigningKeyRotate'> = async (deps, { call }) => {
  const { Keys } = await explainPoolRefusals(
    requireSigningKeys(deps).rotate({ UserPoolId: deps.userPoolId }, call),
    {},
  );
  const keys = Keys.map(presentSigningKey);
  return { status: 200, body: { status: 'success', message: 'New keys sign tokens from now on.', data: {}, keys } };
};

function requireSigningKeys({ provider }: GatewayDeps): SigningKeyOperations {
  const { signing_keys } = provider.extensions;
  if (signing_keys === undefined)
    throw new GatewayError('feature_disabled', 'Amazon Cognito manages its signing keys.');
  return signing_keys;
}

/** A signing key in routes and commands. */
export function presentSigningKey({ KeyId, TokenUse, Algorithm, Signs, CreatedAt, RetiredAt }: SigningKeyDescription) {
  return {
    key_id: KeyId,
    token_use: TokenUse,
    algorithm: Algorithm,
    signs: Signs,
    created_at: formatIsoTime(CreatedAt),
    retired_at: formatIsoTime(RetiredAt) ?? null,
  };
}
