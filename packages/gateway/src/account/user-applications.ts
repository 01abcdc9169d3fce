import type { ConnectedApplication } from '@poolgate/provider';
import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordLoginRevocation } from '../kernel/revocations.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /user/applications. */
export const listApplications: Handler<'userApplications'> = async ({ provider }, { caller, call }) => {
  const list = provider.extensions.list_applications;
  if (list === undefined) throw new GatewayError('feature_disabled');
  const { Applications } = await mapProviderErrors(list({ AccessToken: caller.accessToken }, call), TOKEN_ERRORS);
  const applications = Applications.map(presentApplication);
  return { status: 200, body: { status: 'success', message: 'The applications.', data: {}, applications } };
};

/** DELETE /user/applications/{client_id}. */
export const endApplication: Handler<'userApplicationEnd'> = async (deps, { params, caller, call }) => {
  const end = deps.provider.extensions.end_application;
  if (end === undefined) throw new GatewayError('feature_disabled');
  const { Ended } = await mapProviderErrors(
    end({ AccessToken: caller.accessToken, ClientId: params.client_id }, call),
    { ...TOKEN_ERRORS, ResourceNotFoundException: 'client_not_found' },
  );
  for (const id of Ended) await recordLoginRevocation(deps, id);
  const message = "The application's access has ended.";
  return { status: 200, body: { status: 'success', message, data: {}, ended: Ended.length } };
};

function presentApplication(application: ConnectedApplication) {
  return {
    client_id: application.ClientId,
    name: application.ClientName,
    scopes: application.Scopes,
    grants: application.Grants,
    connected_at: formatIsoTime(application.ConnectedAt),
    last_used_at: formatIsoTime(application.LastUsedAt),
  };
}
