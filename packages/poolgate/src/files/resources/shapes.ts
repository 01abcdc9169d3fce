import { requireOperationModel, type Shape } from '@poolgate/provider/aws-json';

/** Returns the input of an operation as a shape. */
export function readInputShape(operation: string): Shape {
  return requireOperationModel(operation).input;
}

/** Combines the members of several structures, without the excluded ones. Only the named members are required. */
export function combineShapes(
  shapes: readonly Shape[],
  {
    without = [],
    more = {},
    required = [],
  }: {
    readonly without?: readonly string[];
    readonly more?: Readonly<Record<string, Shape>>;
    readonly required?: readonly string[];
  } = {},
): Shape {
  const members = Object.assign({}, ...shapes.map((shape) => shape.members ?? {}), more) as Record<string, Shape>;
  const kept = Object.entries(members).filter(([name]) => !without.includes(name));
  return { type: 'structure', members: Object.fromEntries(kept), required };
}

export const TEXT: Shape = { type: 'string' };

/** Makes a member of a structure required. */
export function requireMember(shape: Shape, name: string): Shape {
  const member = shape.members?.[name];
  if (member === undefined) throw new RangeError(`name: the shape has no member ${name}`);
  return member;
}
