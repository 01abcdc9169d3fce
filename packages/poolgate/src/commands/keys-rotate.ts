import type { Run } from './command.ts';
import { withPool } from './with-container.ts';

/** Makes new signing keys. Running services use them within seconds. */
export const keysRotate: Run = (_invocation, terminal) =>
  withPool(terminal, async ({ userPoolId }, pool) => {
    await pool.rotateKeys(userPoolId);
    for (const { kid } of (await pool.signingKeys(userPoolId)) ?? []) terminal.out(`published key ${kid}`);
    return 0;
  });
