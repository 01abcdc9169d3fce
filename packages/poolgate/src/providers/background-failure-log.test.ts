import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBackgroundFailureLog } from './background-failure-log.ts';

it('a failed deletion is an error in the log, without the text of its cause', () => {
  const lines: unknown[] = [];
  const report = createBackgroundFailureLog((...line) => lines.push(line));
  const error = new TypeError('ada@example.com');
  report({ task: 'due_deletions', userPoolId: 'us-east-1_A', sub: 's', error });
  report({ task: 'factor_censuses', error: undefined });
  assert.deepEqual(lines, [
    [
      'error',
      'Accounts could not be deleted after their grace period. The service tries again in ten minutes.',
      { user_pool_id: 'us-east-1_A', sub: 's', failure: 'TypeError' },
    ],
    [
      'warn',
      'The login factors of a pool could not be sampled. The service tries again in ten minutes.',
      { failure: 'unknown' },
    ],
  ]);
});
