import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';
import { requireDeletionConfirmation } from './deletion-confirmation.ts';

/** POST /user/deletion. */
export const scheduleDeletion: Handler<'userDeletionSchedule'> = async (deps, { body, caller, call }) => {
  const schedule = deps.provider.extensions.schedule_deletion;
  if (schedule === undefined) throw new GatewayError('feature_disabled');
  requireDeletionConfirmation({ body, query: {} });
  const { DeletionAt } = await mapProviderErrors(schedule({ AccessToken: caller.accessToken }, call), TOKEN_ERRORS);
  await recordUserRevocation(deps, caller.sub);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The account is disabled and will be deleted.',
      data: {},
      deletion_at: formatIsoTime(DeletionAt),
    },
  };
};
