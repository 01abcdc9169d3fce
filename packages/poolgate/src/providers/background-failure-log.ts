import type { BackgroundFailure } from '@poolgate/pool';
import type { LogLevel, WriteLogLine } from '../process/log-line.ts';

const MESSAGES: Readonly<Record<BackgroundFailure['task'], { readonly level: LogLevel; readonly message: string }>> = {
  due_deletions: {
    level: 'error',
    message: 'Accounts could not be deleted after their grace period. The service tries again in ten minutes.',
  },
  factor_censuses: {
    level: 'warn',
    message: 'The login factors of a pool could not be sampled. The service tries again in ten minutes.',
  },
};

/** Logs failures of background work: the kind of error, never its text, which may contain values of users. */
export function createBackgroundFailureLog(log: WriteLogLine): (failure: BackgroundFailure) => void {
  return ({ task, userPoolId, sub, error }) => {
    const { level, message } = MESSAGES[task];
    const { name = 'unknown' } = (error ?? {}) as { readonly name?: string };
    log(level, message, { ...(userPoolId && { user_pool_id: userPoolId }), ...(sub && { sub }), failure: name });
  };
}
