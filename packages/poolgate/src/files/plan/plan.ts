/** What an apply would do: compares the declared resources with the existing ones, without side effects. */
import type { StackResourceRecord } from '@poolgate/pool/store';
import type { ResourceIds } from '../resources/resource-type.ts';
import type { TemplateScope } from '../templates/intrinsics.ts';
import type { Declaration, SkippedResource, Stack } from '../templates/stack.ts';
import type { ValueChange } from './compare.ts';
import type { ResolvedDeclaration } from './resolve-declaration.ts';

/** What an apply does with a resource. */
export type PlannedAction = 'create' | 'update' | 'replace' | 'none';

/** One resource of a plan. */
export interface PlannedResource {
  readonly declaration: Declaration;
  readonly resolved: ResolvedDeclaration;
  readonly action: PlannedAction;
  /** Why it is created again. */
  readonly reason: string | undefined;
  /** Undefined if it does not exist yet. */
  readonly ids: ResourceIds | undefined;
  readonly record: StackResourceRecord | undefined;
  readonly changes: readonly ValueChange[];
  /** Manual changes since the last apply. */
  readonly drift: readonly ValueChange[];
  readonly changed: ReadonlySet<string>;
  readonly removed: readonly string[];
}

/** A resource that was created from the file and is no longer in it. */
export interface PlannedRemoval {
  readonly record: StackResourceRecord;
  readonly action: 'remove' | 'keep';
  /** Why it stays. */
  readonly reason: string | undefined;
}

/** What an apply would do with one stack. */
export interface StackPlan {
  readonly stack: Stack;
  /** In the order of creation. */
  readonly resources: readonly PlannedResource[];
  readonly removals: readonly PlannedRemoval[];
  readonly skipped: readonly SkippedResource[];
  /** Computes values of the file, as far as they are known. */
  readonly scope: TemplateScope;
}

/** Whether an apply of the plan changes anything. */
export function hasChanges({ resources, removals }: StackPlan): boolean {
  return resources.some(({ action }) => action !== 'none') || removals.some(({ action }) => action === 'remove');
}
