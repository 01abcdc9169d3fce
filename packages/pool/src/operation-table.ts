import type { CallContext, ProviderExtensions, ProviderOperations } from '@poolgate/provider';
import { deliverWhatIsLeft } from './messages/deliver.ts';
import { forCall, type PoolRuntime } from './runtime.ts';

/** Functions of the port as the pool writes them: the call is in the context, and nowhere else. */
type Unbound<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (input: infer Asked, call: CallContext) => infer Answer
    ? (context: PoolRuntime, input: Asked) => Answer
    : never;
};

/** A family of operations of the port. */
export type OperationTable<Name extends keyof ProviderOperations> = Unbound<Pick<ProviderOperations, Name>>;

/** A family of extensions of the port. */
export type ExtensionTable<Name extends keyof ProviderExtensions> = Unbound<Pick<ProviderExtensions, Name>>;

/** An extension of the port that has functions of its own. */
export type ExtensionFunctions<Name extends keyof ProviderExtensions> = Unbound<ProviderExtensions[Name]>;

/** The functions of a table as the port has them. */
type Bound<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (context: PoolRuntime, input: infer Asked) => infer Answer
    ? (input: Asked, call: CallContext) => Answer
    : never;
};

/** Gives every function of a table the runtime for the time of its call. */
export function bindOperations<Table extends object>(runtime: PoolRuntime, table: Table): Bound<Table> {
  type Operation = (context: PoolRuntime, input: unknown) => Promise<unknown>;
  const bound = Object.entries(table).map(([name, operation]: [string, Operation]) => [
    name,
    async (input: unknown, call: CallContext): Promise<unknown> => {
      const context = forCall(runtime, call, Object(input));
      try {
        return await operation(context, input);
      } catch (error) {
        await deliverWhatIsLeft(context);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(bound) as Bound<Table>;
}
