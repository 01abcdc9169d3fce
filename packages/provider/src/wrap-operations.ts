import type { CallContext } from './call-context.ts';
import { OPERATION_NAMES, type OperationName } from './operations.ts';
import type { IdentityProvider, Input, Output, ProviderOperations } from './port.ts';

/** An operation of a provider. */
export type Operation<Name extends OperationName = OperationName> = (
  input: Input<Name>,
  call: CallContext,
) => Promise<Output<Name>>;

/** The subject members that many requests share. Every request can be read as one. */
export interface SubjectFields {
  readonly UserPoolId?: string;
  readonly ClientId?: string;
  readonly Username?: string;
  readonly AccessToken?: string;
  readonly [field: string]: unknown;
}

/** Returns the method name of an operation: `InitiateAuth` becomes `initiateAuth`. */
export function toMethodName<Name extends OperationName>(name: Name): Uncapitalize<Name> {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}` as Uncapitalize<Name>;
}

/**
 * Returns the bound method of an operation.
 * @throws {TypeError} the method is missing
 */
export function requireMethod<Name extends OperationName>(operations: ProviderOperations, name: Name): Operation<Name> {
  const method = toMethodName(name);
  const operation: unknown = operations[method];
  if (typeof operation !== 'function') throw new TypeError(`provider: has no operation ${method}`);
  // TypeScript cannot follow a generic name through the renaming of `ProviderOperations`.
  return operation.bind(operations) as Operation<Name>;
}

/** Creates every operation of a provider from its name. */
export function createOperations(
  create: <Name extends OperationName>(name: Name) => Operation<Name>,
): ProviderOperations {
  const methods = OPERATION_NAMES.map((name) => [toMethodName(name), create(name)] as const);
  return Object.fromEntries(methods) as ProviderOperations;
}

/**
 * Returns the same provider with wrapped operations.
 *
 * @param wrap called once for each operation with its implementation; returns the replacement
 * @throws {TypeError} an operation is missing
 */
export function wrapOperations(
  provider: IdentityProvider,
  wrap: <Name extends OperationName>(name: Name, operation: Operation<Name>) => Operation<Name>,
): IdentityProvider {
  const { operations, extensions, recordsEvents, recordsRevocations, readTokenState } = provider;
  return {
    operations: createOperations((name) => wrap(name, requireMethod(operations, name))),
    extensions,
    recordsEvents,
    recordsRevocations,
    ...(readTokenState && { readTokenState }),
    describe: (userPoolId) => provider.describe(userPoolId),
    signingKeys: (userPoolId) => provider.signingKeys(userPoolId),
    poolOfClient: (clientId) => provider.poolOfClient(clientId),
    readSecretBlock: (input) => provider.readSecretBlock(input),
  };
}
