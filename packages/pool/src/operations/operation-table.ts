/**
 * The port's operations, in files named after their nouns. They check access and call the lower folders. Nothing else in the pool imports
 * them.
 */
import type { CallContext, ProviderExtensions, ProviderOperations } from '@poolgate/provider';
import { deliverRemainingMessages } from '../delivery/deliver-after-commit.ts';
import { createCallPorts, type PoolPorts } from './pool-ports.ts';

/** The port's functions as the pool implements them, with the call in the ports. */
type UnboundFunctions<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (input: infer Asked, call: CallContext) => infer Answer
    ? (ports: PoolPorts, input: Asked) => Answer
    : never;
};

/** A family of operations of the port. */
export type OperationTable<Name extends keyof ProviderOperations> = UnboundFunctions<Pick<ProviderOperations, Name>>;

/** A family of extensions of the port. */
export type ExtensionTable<Name extends keyof ProviderExtensions> = UnboundFunctions<Pick<ProviderExtensions, Name>>;

/** An extension of the port with several functions. */
export type ExtensionFunctions<Name extends keyof ProviderExtensions> = UnboundFunctions<ProviderExtensions[Name]>;

/** The functions of a table in the port's form. */
type BoundFunctions<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (ports: PoolPorts, input: infer Asked) => infer Answer
    ? (input: Asked, call: CallContext) => Answer
    : never;
};

/** Gives every function of a table the ports of its call. */
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
