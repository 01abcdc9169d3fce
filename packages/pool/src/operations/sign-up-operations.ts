import { createPlainPassword } from '../proofs/passwords/new-password.ts';
import { signUp } from '../registrations/sign-up.ts';
import { requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { OperationTable } from './operation-table.ts';

/** The operation with which users register. */
export const signUpOperations: OperationTable<'signUp'> = {
  async signUp(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const password = input.Password ? createPlainPassword(ports, owner.pool, input.Password) : undefined;
    return signUp(ports, owner, { ...input, password });
  },
};
