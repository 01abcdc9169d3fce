import type { AdminKeySecret } from '@poolgate/gateway';
import type { AdminScope } from '@poolgate/provider';
import type { Invocation, Terminal } from '../command-line/command.ts';

/** Prints a new admin key with its secret, which is shown only once. */
export function printNewAdminKey(
  { id, secret }: AdminKeySecret,
  scopes: readonly AdminScope[],
  invocation: Invocation,
  terminal: Terminal,
): void {
  const bearer = `pg_${id}_${secret}`;
  if (invocation.has('json')) {
    terminal.out(JSON.stringify({ id, secret, bearer, scopes }));
    return;
  }
  terminal.out(`id:      ${id}`);
  terminal.out(`secret, shown only once: ${secret}`);
  terminal.out(`bearer form: ${bearer}`);
}
