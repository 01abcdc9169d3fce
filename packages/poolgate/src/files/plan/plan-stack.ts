import type { StackResourceRecord } from '@poolgate/pool/store';
import { type Members, withoutPaths } from '../resources/members.ts';
import type { ResourceAttributes, ResourceIds, ResourcePorts } from '../resources/resource-type.ts';
import { adviseOnUnsupported, requireResourceType } from '../resources/resource-types.ts';
import { type SourceProblem, SourceProblems } from '../sources/source-problems.ts';
import type { TemplateScope } from '../templates/intrinsics.ts';
import type { Declaration, FindExport, SkippedResource, Stack } from '../templates/stack.ts';
import { compareResource, listValueChanges } from './compare.ts';
import { orderDeclarations } from './order.ts';
import type { PlannedRemoval, PlannedResource, StackPlan } from './plan.ts';
import { isReplacedId } from './replaced-resources.ts';
import { type ResolvedDeclaration, resolveDeclaration } from './resolve-declaration.ts';

/** The permissions of an apply, and the dependencies of a plan. */
export interface PlanOptions {
  readonly accountId: string;
  readonly isReplacementAllowed: boolean;
  readonly isPruning: boolean;
  readonly acceptsUnsupported: 'all' | 'without_security' | 'none';
}

/**
 * Compares a stack with its existing resources.
 * @throws {SourceProblems} the file is invalid, or the options forbid a change; it lists every problem
 */
export async function planStack(
  ports: ResourcePorts,
  stack: Stack,
  records: readonly StackResourceRecord[],
  findExport: FindExport,
  options: PlanOptions,
): Promise<StackPlan> {
  const planner = new StackPlanner(ports, stack, records, findExport, options);
  return planner.plan();
}

class StackPlanner {
  readonly #ports: ResourcePorts;
  readonly #stack: Stack;
  readonly #records: ReadonlyMap<string, StackResourceRecord>;
  readonly #options: PlanOptions;
  readonly #scope: TemplateScope;
  readonly #known = new Map<string, ResourceAttributes>();
  readonly #problems: SourceProblem[] = [];

  constructor(
    ports: ResourcePorts,
    stack: Stack,
    records: readonly StackResourceRecord[],
    findExport: FindExport,
    options: PlanOptions,
  ) {
    this.#ports = ports;
    this.#stack = stack;
    this.#records = new Map(records.map((record) => [record.logicalId, record]));
    this.#options = options;
    this.#scope = stack.createScope((id) => this.#known.get(id), findExport);
  }

  async plan(): Promise<StackPlan> {
    for (const skipped of this.#stack.skipped) this.#checkSkipped(skipped);
    const resources: PlannedResource[] = [];
    for (const declaration of orderDeclarations(this.#stack.declarations)) {
      const { type, place } = declaration;
      if (type.unsupported !== undefined && !this.#isAccepted(type.unsupported))
        this.#problems.push({ place, message: `${type.title} is not supported by this service.` });
      const resolved = this.#resolve(declaration);
      if (resolved === undefined) await this.#noteAsItIs(declaration);
      else resources.push(await this.#planResource(resolved));
    }
    if (this.#problems.length > 0) throw new SourceProblems(this.#problems);
    const removals = await this.#planRemovals(resources);
    return { stack: this.#stack, resources, removals, skipped: this.#stack.skipped, scope: this.#scope };
  }

  #checkSkipped({ type, place, reason, promisesSecurity }: SkippedResource): void {
    if (reason === 'foreign') return;
    if (this.#isAccepted({ promisesSecurity })) return;
    const advice = adviseOnUnsupported(type);
    this.#problems.push({ place, message: `${type} is not supported by this service.${advice}` });
  }

  #isAccepted({ promisesSecurity }: Pick<SkippedResource, 'promisesSecurity'>): boolean {
    const { acceptsUnsupported } = this.#options;
    return acceptsUnsupported === 'all' || (acceptsUnsupported === 'without_security' && !promisesSecurity);
  }

  #resolve(declaration: Declaration): ResolvedDeclaration | undefined {
    try {
      return resolveDeclaration(declaration, this.#scope, this.#stack);
    } catch (error) {
      if (!(error instanceof SourceProblems)) throw error;
      this.#problems.push(...error.problems);
      return undefined;
    }
  }

  /** A rejected resource keeps its id, so the resources that depend on it are not rejected as well. */
  async #noteAsItIs({ logicalId, type }: Declaration): Promise<void> {
    const record = this.#records.get(logicalId);
    const current = record === undefined ? undefined : await type.find(this.#ports, record);
    if (record === undefined || current === undefined) return;
    this.#known.set(logicalId, type.readAttributes(record, current, this.#options.accountId));
  }

  async #planResource(resolved: ResolvedDeclaration): Promise<PlannedResource> {
    const { declaration, members, secretPaths } = resolved;
    const { type, logicalId, place } = declaration;
    const record = this.#records.get(logicalId);
    const ids = record ?? findIdsByName(resolved);
    const current = ids === undefined ? undefined : await type.find(this.#ports, ids);
    const base = { declaration, resolved, record, reason: undefined, drift: [], removed: [] };
    if (ids === undefined || current === undefined) {
      const conflict = ids === undefined ? undefined : await type.findConflict?.(this.#ports, ids);
      if (conflict !== undefined) this.#problems.push({ place: declaration.place, message: conflict });
      const changes = listValueChanges({}, members, new Set(Object.keys(members)), secretPaths);
      return { ...base, ids, action: 'create', changes, changed: new Set(Object.keys(members)) };
    }
    const comparison = compareResource({ type, desired: members, secretPaths, current, record });
    const { changed, removed, replacement } = comparison;
    const drift = record === undefined ? [] : listDrift(record, current, secretPaths, type.isOwnedByUsers === true);
    const changes = listValueChanges(current, members, changed, secretPaths);
    if (replacement !== undefined) {
      this.#checkReplacement(place, `${logicalId} (${type.title})`, replacement);
      if (!this.#options.isReplacementAllowed) await this.#noteAsItIs(declaration);
      const all = listValueChanges(current, members, new Set([...changed, ...type.fixed]), secretPaths);
      return { ...base, ids, action: 'replace', reason: replacement, changes: all, changed, removed, drift };
    }
    this.#known.set(logicalId, type.readAttributes(ids, current, this.#options.accountId));
    const isUnrecorded = record?.state !== 'applied';
    const action = changed.size > 0 || isUnrecorded ? 'update' : 'none';
    return { ...base, ids, action, changes, changed, removed, drift };
  }

  #checkReplacement(place: SourceProblem['place'], what: string, reason: string): void {
    if (this.#options.isReplacementAllowed) return;
    const message = `${what} would be replaced by a new resource, because ${reason}. Undo the change, or apply with --allow-replace.`;
    this.#problems.push({ place, message });
  }

  async #planRemovals(resources: readonly PlannedResource[]): Promise<readonly PlannedRemoval[]> {
    const declared = new Set(this.#stack.declarations.map(({ logicalId }) => logicalId));
    const claimed = new Set(resources.map(({ ids, declaration: { type } }) => ids && formatIds(type.name, ids)));
    const removals: PlannedRemoval[] = [];
    for (const record of this.#records.values()) {
      if (declared.has(record.logicalId)) continue;
      const reason = await this.#findReasonToKeep(record, claimed);
      removals.push({ record, action: reason === undefined ? 'remove' : 'keep', reason });
    }
    return keepWithPools(removals);
  }

  async #findReasonToKeep(
    record: StackResourceRecord,
    claimed: ReadonlySet<string | undefined>,
  ): Promise<string | undefined> {
    if (claimed.has(formatIds(record.type, record))) return 'the file has it under another name';
    const type = requireResourceType(record.type);
    if (type.remove === undefined) return 'nothing removes users';
    if (!this.#options.isPruning && !isReplacedId(record.logicalId)) return '--prune removes it';
    const isThere = (await type.find(this.#ports, record)) !== undefined;
    return isThere ? type.findReasonToKeep?.(this.#ports, record) : undefined;
  }
}

function findIdsByName({ poolId, physicalId }: ResolvedDeclaration): ResourceIds | undefined {
  return poolId === undefined || physicalId === undefined ? undefined : { poolId, physicalId };
}

function formatIds(type: string, { poolId, physicalId }: ResourceIds): string {
  return `${type} ${poolId} ${physicalId}`;
}

/** The children of a pool that stays are in use, so they stay too. */
function keepWithPools(removals: readonly PlannedRemoval[]): readonly PlannedRemoval[] {
  const kept = new Set(
    removals
      .filter(({ record, action }) => record.type === 'UserPool' && action === 'keep')
      .map(({ record }) => record.poolId),
  );
  return removals.map((removal) =>
    removal.action === 'remove' && kept.has(removal.record.poolId)
      ? { ...removal, action: 'keep', reason: 'its pool stays' }
      : removal,
  );
}

function listDrift(
  record: StackResourceRecord,
  current: Members,
  secretPaths: ReadonlySet<string>,
  isOwnedByUsers: boolean,
): PlannedResource['drift'] {
  if (record.state !== 'applied' || isOwnedByUsers) return [];
  const [before, after] = [withoutPaths(record.described, secretPaths), withoutPaths(current, secretPaths)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return listValueChanges(before, after, names, new Set(), true);
}
