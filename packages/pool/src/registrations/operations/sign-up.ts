import type { OperationTable } from '../../operation-table.ts';
import { newPlainPassword } from '../../passwords/new-password.ts';
import { requireClientAndPool } from '../../pools/pools.ts';
import { signUp } from '../sign-up.ts';

/** The operation by which users make themselves known. */
export const signUpOperations: OperationTable<'signUp'> = {
  async signUp(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const password = input.Password ? newPlainPassword(ports, owner.pool, input.Password) : undefined;
    return signUp(ports, owner, { ...input, password });
  },
};
