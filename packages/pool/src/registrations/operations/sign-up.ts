import type { OperationTable } from '../../operation-table.ts';
import { newPlainPassword } from '../../passwords/new-password.ts';
import { requireClientAndPool } from '../../pools/pools.ts';
import { signUp } from '../sign-up.ts';

/** The operation by which users make themselves known. */
export const signUpOperations: OperationTable<'signUp'> = {
  async signUp(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    const password = input.Password ? newPlainPassword(context, owner.pool, input.Password) : undefined;
    return signUp(context, owner, { ...input, password });
  },
};
