import { type Expression, type OperationNode, ValueNode } from 'kysely';

/** The place of a parameter in a statement: it stands in the query wherever an expression of the parameter's type may. */
export class Placeholder<Value> implements Expression<Value> {
  /** The name of the parameter whose value is bound in its place. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** What Kysely knows the type of an expression by; never a value. */
  get expressionType(): Value | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }
}

/** A placeholder for each parameter of a statement, under its name. */
export type Placeholders<Parameters extends object> = {
  readonly [Name in keyof Parameters & string]: Expression<Parameters[Name]>;
};

// Of a type without values, so that each fits wherever an expression may stand.
const ANY_NAME = new Proxy<Readonly<Record<string, Expression<never>>>>(
  {},
  {
    get: (_, name) => (typeof name === 'string' ? new Placeholder<never>(name) : undefined),
    has: () => true,
  },
);

/** Placeholders of any parameters: there is one under every name. */
export function createPlaceholders<Parameters extends object>(): Placeholders<Parameters>;
export function createPlaceholders(): Readonly<Record<string, Expression<never>>> {
  return ANY_NAME;
}

/** The placeholder of a parameter whose name is computed, as those of a list are. */
export function requirePlaceholder<Parameters extends object, Name extends keyof Parameters & string>(
  parameters: Placeholders<Parameters>,
  name: Name,
): Expression<Parameters[Name]> {
  return parameters[name];
}
