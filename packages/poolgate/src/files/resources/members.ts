/** The members of a resource, under the names of the API. */
export type Members = Readonly<Record<string, unknown>>;

/** A value that is known only once another resource was created. */
export class UnknownValue {
  /** What it will be made of, such as the name of the other resource. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return '(known after apply)';
  }
}

export function isPlainObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof UnknownValue);
}

/** Lists of texts are sets in this API: their order says nothing. */
function toComparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(toComparable);
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, toComparable(member)]).toSorted());
}

/** Whether two values say the same. A value that is not known yet equals none. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(toComparable(one)) === JSON.stringify(toComparable(other)) && !containsUnknown(one);
}

export function containsUnknown(value: unknown): boolean {
  if (value instanceof UnknownValue) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isPlainObject(value) && Object.values(value).some(containsUnknown);
}

/** Some members, those that are there. */
export function pickMembers(members: Members, names: Iterable<string>): Members {
  return Object.fromEntries(
    [...names].filter((name) => members[name] !== undefined).map((name) => [name, members[name]]),
  );
}

/** All members but these. */
export function omitMembers(members: Members, names: Iterable<string>): Members {
  const omitted = new Set(names);
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !omitted.has(name) && value !== undefined),
  );
}

/** The value at a path such as `ProviderDetails.client_secret`. */
export function readPath(members: Members, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isPlainObject(value) ? value[name] : undefined), members);
}

/** The members without the values at some paths. */
export function withoutPaths(members: Members, paths: ReadonlySet<string>, prefix = ''): Members {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !paths.has(`${prefix}${name}`))
      .map(([name, value]) => [name, isPlainObject(value) ? withoutPaths(value, paths, `${prefix}${name}.`) : value]),
  );
}
