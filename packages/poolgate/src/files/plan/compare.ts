import type { StackResourceRecord } from '@poolgate/pool/store';
import { isPlainObject, isSameValue, type Members, omitMembers, readPath, withoutPaths } from '../resources/members.ts';
import type { ResourceType } from '../resources/resource-type.ts';

/** One value that changes. */
export interface ValueChange {
  readonly path: string;
  /** Undefined: it did not exist. */
  readonly before: unknown;
  /** Undefined: it returns to its default. */
  readonly after: unknown;
  readonly isSecret: boolean;
}

/** How a resource differs from its file. */
export interface Comparison {
  readonly changed: ReadonlySet<string>;
  readonly removed: readonly string[];
  /** Why it must be created again; undefined if it can be changed. */
  readonly replacement: string | undefined;
}

/** Whether a value includes everything that another one requires. */
function includesValue(current: unknown, desired: unknown): boolean {
  if (isPlainObject(desired)) {
    const members = isPlainObject(current) ? current : {};
    return Object.entries(desired).every(([name, value]) => includesValue(members[name], value));
  }
  return isSameValue(desired, current);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0);

const isSameFixed = (one: unknown, other: unknown): boolean =>
  (isEmpty(one) && isEmpty(other)) || isSameValue(one, other);

/** A resource as declared in the file, and as it is. */
export interface ComparedResource {
  readonly type: ResourceType;
  readonly desired: Members;
  readonly secretPaths: ReadonlySet<string>;
  readonly current: Members;
  /** Undefined: it was found by name, and no file created it. */
  readonly record: StackResourceRecord | undefined;
}

function findReplacement({ type, desired, current, record, secretPaths }: ComparedResource): string | undefined {
  const isSettled = record?.state === 'applied';
  const fixed = type.fixed.find((name) => {
    const isSameAsFile = isSettled && isSameFixed(desired[name], record.applied[name]);
    return !isSameAsFile && !isSameFixed(desired[name], current[name]);
  });
  if (fixed !== undefined) return `${fixed} changed`;
  // The record has no secrets, so they cannot be compared with it.
  const shown = (members: Members) => withoutPaths(members, secretPaths);
  return isSettled ? type.findReplacement?.(shown(record.applied), shown(desired)) : undefined;
}

/** Whether a secret is set. Users also have attributes that the file does not list. */
function hasSecret({ isOwnedByUsers }: ResourceType, current: unknown, wanted: unknown): boolean {
  return isOwnedByUsers && Array.isArray(wanted) && Array.isArray(current)
    ? wanted.every((item) => current.some((other) => isSameValue(item, other)))
    : isSameValue(wanted, current);
}

/** Compares a resource with its file, and with its state after the last apply. */
export function compareResource(compared: ComparedResource): Comparison {
  const { type, desired, current, record, secretPaths } = compared;
  const without = [...type.fixed, ...(type.initial ?? [])];
  const shown = withoutPaths(omitMembers(desired, without), secretPaths);
  const isSettled = record?.state === 'applied';
  const isChanged = (name: string): boolean => {
    if (!isSettled) return !includesValue(current[name], shown[name]);
    if (!isSameValue(shown[name], record.applied[name])) return true;
    return !type.isOwnedByUsers && !isSameValue(record.described[name], withoutPaths(current, secretPaths)[name]);
  };
  const changed = new Set(Object.keys(shown).filter(isChanged));
  for (const path of secretPaths) {
    const [name = ''] = path.split('.');
    if (without.includes(name)) continue;
    const wanted = readPath(desired, path);
    if (wanted !== undefined && !hasSecret(type, readPath(current, path), wanted)) changed.add(name);
  }
  const applied = isSettled ? Object.keys(record.applied) : [];
  const removed = applied.filter((name) => desired[name] === undefined && !without.includes(name));
  return {
    changed: new Set([...changed, ...removed]),
    removed,
    replacement: findReplacement(compared),
  };
}

/** Returns the values of a resource by path. A list is one value. */
function flatten(members: Members, prefix = ''): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(members).flatMap(([name, value]): (readonly [string, unknown])[] => {
      const path = `${prefix}${name}`;
      if (isPlainObject(value) && Object.keys(value).length > 0) return [...flatten(value, `${path}.`)];
      return value === undefined ? [] : [[path, value]];
    }),
  );
}

/**
 * Lists the values of some members that differ between the current and the desired state.
 * @param isComplete whether `desired` is complete; otherwise only the API knows the defaults of what it omits within a member
 */
export function listValueChanges(
  current: Members,
  desired: Members,
  names: ReadonlySet<string>,
  secretPaths: ReadonlySet<string>,
  isComplete = false,
): readonly ValueChange[] {
  const pick = (members: Members) => Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name)));
  const [before, after] = [flatten(pick(current)), flatten(pick(desired))];
  const isSecret = (path: string) =>
    [...secretPaths].some((secret) => path === secret || path.startsWith(`${secret}.`));
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths
    .filter((path) => {
      const [name = ''] = path.split('.');
      if (!isComplete && !after.has(path) && desired[name] !== undefined) return false;
      return !isSameValue(after.get(path), before.get(path));
    })
    .map((path) => ({
      path,
      before: isSecret(path) ? undefined : before.get(path),
      after: isSecret(path) ? undefined : after.get(path),
      isSecret: isSecret(path),
    }));
}
