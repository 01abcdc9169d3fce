/**
 * The operations of the port, in files named after their nouns. They check access and call the folders below. Nothing else in the pool
 * imports them.
 */
import type { CallContext, ProviderExtensions, ProviderOperations } from '@poolgate/provider';
import { deliverRemainingMessages } from '../delivery/deliver-after-commit.ts';
import { createCallPorts, type PoolPorts } from './pool-ports.ts';

/** Functions of the port as the pool writes them: the call is in the ports, and nowhere else. */
type UnboundFunctions<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (input: infer Asked, call: CallContext) => infer Answer
    ? (ports: PoolPorts, input: Asked) => Answer
    : never;
};

/** A family of operations of the port. */
export type OperationTable<Name extends keyof ProviderOperations> = UnboundFunctions<Pick<ProviderOperations, Name>>;

/** A family of extensions of the port. */
export type ExtensionTable<Name extends keyof ProviderExtensions> = UnboundFunctions<Pick<ProviderExtensions, Name>>;

/** An extension of the port that has functions of its own. */
export type ExtensionFunctions<Name extends keyof ProviderExtensions> = UnboundFunctions<ProviderExtensions[Name]>;

/** The functions of a table as the port has them. */
type BoundFunctions<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (ports: PoolPorts, input: infer Asked) => infer Answer
    ? (input: Asked, call: CallContext) => Answer
    : never;
};

/** Gives every function of a table the ports for the time of its call. */
export function bindOperations<Table extends object>(ports: PoolPorts, table: Table): BoundFunctions<Table> {
  type Operation = (ports: PoolPorts, input: unknown) => Promise<unknown>;
  const bound = Object.entries(table).map(([name, operation]: [string, Operation]) => [
    name,
    async (input: unknown, call: CallContext): Promise<unknown> => {
      const callPorts = createCallPorts(ports, call, Object(input));
      try {
        return await operation(callPorts, input);
      } catch (error) {
        await deliverRemainingMessages(callPorts);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(bound) as BoundFunctions<Table>;
}
