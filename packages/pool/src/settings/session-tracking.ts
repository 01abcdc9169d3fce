import { ProviderError } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';

/** @throws {ProviderError} `OperationNotEnabledException`: the pool does not track sessions */
export function requireSessionTracking({ settings }: PoolRecord): void {
  if (settings.sessions?.tracked) return;
  throw new ProviderError('OperationNotEnabledException', 'User session tracking is not enabled for the user pool.');
}
