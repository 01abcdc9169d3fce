import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /user/identities. */
export const listIdentities: Handler<'identityList'> = async (deps, { caller, call }) => {
  const { federation } = deps.provider.extensions;
  if (federation === undefined) throw new GatewayError('feature_disabled');
  const { userPoolId: UserPoolId, clientId: ClientId } = deps;
  const found = await mapProviderErrors(
    federation.listIdentities({ AccessToken: caller.accessToken }, call),
    TOKEN_ERRORS,
  );
  const { Providers } = await federation.listProviders({ UserPoolId, ClientId }, call);
  const identities = found.map(({ Id, ProviderName, ProviderType, ConnectedAt, IsPrimary }) => ({
    id: Id,
    provider: ProviderName,
    type: ProviderType,
    connected_at: formatIsoTime(ConnectedAt),
    primary: IsPrimary,
  }));
  const providers = Providers.map(({ Name: name, Type: type }) => ({ name, type }));
  return {
    status: 200,
    body: { status: 'success', message: 'The connected accounts.', data: {}, identities, providers },
  };
};

/** DELETE /user/identities/{id}. */
export const removeIdentity: Handler<'identityRemove'> = async (deps, { params, caller, call }) => {
  const { federation } = deps.provider.extensions;
  if (federation === undefined) throw new GatewayError('feature_disabled');
  const { OwnEnded } = await mapProviderErrors(
    federation.removeIdentity({ AccessToken: caller.accessToken, Id: params.id }, call),
    { ...TOKEN_ERRORS, ResourceNotFoundException: 'identity_not_found', InvalidParameterException: 'last_way_in' },
  );
  const ended = OwnEnded ? ({ login_ended: true } as const) : {};
  return { status: 200, body: { status: 'success', message: 'The account was disconnected.', data: {}, ...ended } };
};
