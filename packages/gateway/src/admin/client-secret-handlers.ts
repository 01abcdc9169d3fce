import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { MISSING_CLIENT } from './client-handlers.ts';
import { explainPoolRefusals } from './pool-refusals.ts';
import { presentSecret } from './present-client.ts';

/** POST /admin/clients/{client_id}/secrets: only this response contains the secret. */
export const createSecret: Handler<'adminClientSecretCreate'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, ClientId: params.client_id };
  const { ClientSecretDescriptor: made } = await explainPoolRefusals(
    deps.provider.operations.addUserPoolClientSecret(input, call),
    MISSING_CLIENT,
  );
  if (made?.ClientSecretValue === undefined) throw new GatewayError('provider_error');
  return {
    status: 201,
    body: {
      status: 'success',
      message: 'The secret was created. The other secret stays valid until you delete it.',
      data: {},
      secret: presentSecret(made),
      client_secret: made.ClientSecretValue,
    },
  };
};

/** DELETE /admin/clients/{client_id}/secrets/{secret_id}. */
export const deleteSecret: Handler<'adminClientSecretDelete'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, ClientId: params.client_id, ClientSecretId: params.secret_id };
  await explainPoolRefusals(deps.provider.operations.deleteUserPoolClientSecret(input, call), {
    client_not_found: 'client_not_found',
    other: 'client_secret_not_found',
  });
  return { status: 200, body: { status: 'success', message: 'The secret is no longer valid.', data: {} } };
};
