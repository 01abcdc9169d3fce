import { requirePool } from '../settings/pools-and-clients.ts';
import { describeSigningKeys, rotateSigningKeys } from '../tokens/signing-keys.ts';
import type { ExtensionFunctions } from './operation-table.ts';

/** Operations on the keys that sign a pool's tokens. The caller was already authorized. */
export const signingKeyOperations: ExtensionFunctions<'signing_keys'> = {
  async list(ports, { UserPoolId }) {
    return { Keys: await describeSigningKeys(ports, await requirePool(ports, UserPoolId)) };
  },
  async rotate(ports, { UserPoolId }) {
    const pool = await requirePool(ports, UserPoolId);
    await rotateSigningKeys(ports, pool);
    return { Keys: await describeSigningKeys(ports, pool) };
  },
};
