import { ProviderError } from '@poolgate/provider';
import type { UserRecord } from '../store/records.ts';

/** Whether a user may act: not disabled by an administrator, and not waiting for deletion. */
export function isActiveUser({ enabled, deletionAtMs }: Pick<UserRecord, 'enabled' | 'deletionAtMs'>): boolean {
  return enabled && deletionAtMs === null;
}

/** @throws {ProviderError} `NotAuthorizedException`: the user is disabled or waits for deletion */
export function requireEnabledUser(user: Pick<UserRecord, 'enabled' | 'deletionAtMs'>): void {
  if (!isActiveUser(user))
    throw new ProviderError('NotAuthorizedException', 'User is disabled.', { reason: 'user_disabled' });
}
