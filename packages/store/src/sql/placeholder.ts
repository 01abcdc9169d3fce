import { type Expression, type OperationNode, ValueNode } from 'kysely';

/** The placeholder of a parameter. A query can use it wherever it accepts an expression of the parameter's type. */
export class Placeholder<Value> implements Expression<Value> {
  /** The name of the parameter to bind. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Tells Kysely the type of the expression. It never has a value. */
  get expressionType(): Value | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }
}

/** A placeholder for each parameter of a statement, by name. */
export type Placeholders<Parameters extends object> = {
  readonly [Name in keyof Parameters & string]: Expression<Parameters[Name]>;
};

// The value type is empty, so that a placeholder fits wherever an expression is allowed.
const ANY_NAME = new Proxy<Readonly<Record<string, Expression<never>>>>(
  {},
  {
    get: (_, name) => (typeof name === 'string' ? new Placeholder<never>(name) : undefined),
    has: () => true,
  },
);

/** Placeholders for any parameters: every name has one. */
export function createPlaceholders<Parameters extends object>(): Placeholders<Parameters>;
export function createPlaceholders(): Readonly<Record<string, Expression<never>>> {
  return ANY_NAME;
}

/** Returns the placeholder of a parameter with a computed name, as in lists. */
export function requirePlaceholder<Parameters extends object, Name extends keyof Parameters & string>(
  parameters: Placeholders<Parameters>,
  name: Name,
): Expression<Parameters[Name]> {
  return parameters[name];
}
