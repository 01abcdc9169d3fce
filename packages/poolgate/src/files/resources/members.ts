/** The members of a resource, under the names of the API. */
export type Members = Readonly<Record<string, unknown>>;

/** A value that is known only after another resource was created. */
export class UnknownValue {
  /** The source of the value, such as the name of the other resource. */
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

/** Lists of texts are sets in this API: their order has no meaning. */
function toComparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(toComparable);
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, toComparable(member)]).toSorted());
}

/** Whether two values are equivalent. An unknown value equals no other. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(toComparable(one)) === JSON.stringify(toComparable(other)) && !containsUnknown(one);
}

function containsUnknown(value: unknown): boolean {
  if (value instanceof UnknownValue) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isPlainObject(value) && Object.values(value).some(containsUnknown);
}

/** Returns the existing members of the given names. */
export function pickMembers(members: Members, names: Iterable<string>): Members {
  return Object.fromEntries(
    [...names].filter((name) => members[name] !== undefined).map((name) => [name, members[name]]),
  );
}

/** Returns all members except these. */
export function omitMembers(members: Members, names: Iterable<string>): Members {
  const omitted = new Set(names);
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !omitted.has(name) && value !== undefined),
  );
}

/** Returns the value at a path such as `ProviderDetails.client_secret`. */
export function readPath(members: Members, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isPlainObject(value) ? value[name] : undefined), members);
}

/** Returns the members without the values at some paths. */
export function withoutPaths(members: Members, paths: ReadonlySet<string>, prefix = ''): Members {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !paths.has(`${prefix}${name}`))
      .map(([name, value]) => [name, isPlainObject(value) ? withoutPaths(value, paths, `${prefix}${name}.`) : value]),
  );
}
