import type { RunCommand } from '../command-line/command.ts';
import { withEmbeddedPool } from './with-container.ts';

/** Makes new signing keys. Running services use them within seconds. */
export const runKeysRotate: RunCommand = (_invocation, terminal) =>
  withEmbeddedPool(terminal, async ({ userPoolId }, pool) => {
    await pool.rotateKeys(userPoolId);
    for (const { kid } of (await pool.signingKeys(userPoolId)) ?? []) terminal.out(`published key ${kid}`);
    return 0;
  });
