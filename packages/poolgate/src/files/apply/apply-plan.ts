import type { Clock, Random } from '@poolgate/pool';
import type { StackResourceRecord } from '@poolgate/pool/store';
import { ProviderError } from '@poolgate/provider';
import { compareResource } from '../plan/compare.ts';
import type { PlannedRemoval, PlannedResource, StackPlan } from '../plan/plan.ts';
import { formatReplacedId, isReplacedId } from '../plan/replaced-resources.ts';
import { findUnknownMember, type ResolvedDeclaration, resolveDeclaration } from '../plan/resolve-declaration.ts';
import { omitMembers, withoutPaths } from '../resources/members.ts';
import type { ResourceAttributes, ResourceIds, ResourcePorts } from '../resources/resource-type.ts';
import { RESOURCE_TYPES, requireResourceType } from '../resources/resource-types.ts';
import { createSourceProblem } from '../sources/source-problems.ts';
import type { TemplateScope } from '../templates/intrinsics.ts';
import type { FindExport, Stack } from '../templates/stack.ts';
import { generateIds } from './generate-ids.ts';
import type { HeldLease } from './stack-lease.ts';

/** The dependencies of an apply. */
export interface ApplyPorts {
  readonly resources: ResourcePorts;
  readonly lease: HeldLease;
  readonly clock: Clock;
  readonly random: Random;
  readonly region: string;
  readonly accountId: string;
  /** Told of each step once it is done. */
  readonly report: (line: string) => void;
}

/** The state of a stack after an apply. */
export interface AppliedStack {
  /** Resources by logical id. */
  readonly known: ReadonlyMap<string, ResourceAttributes>;
  readonly ids: ReadonlyMap<string, ResourceIds>;
  readonly scope: TemplateScope;
}

/** Carries out a plan. Each step is recorded before and after, so that a repeated apply resumes where this one stopped. */
export async function applyPlan(ports: ApplyPorts, plan: StackPlan, findExport: FindExport): Promise<AppliedStack> {
  const applier = new PlanApplier(ports, plan, findExport);
  for (const planned of plan.resources) await applier.applyResource(planned);
  await applier.removeAll(plan.removals);
  return applier;
}

class PlanApplier implements AppliedStack {
  readonly known = new Map<string, ResourceAttributes>();
  readonly ids = new Map<string, ResourceIds>();
  readonly scope: TemplateScope;
  readonly #ports: ApplyPorts;
  readonly #stack: Stack;
  readonly #replaced: StackResourceRecord[] = [];

  constructor(ports: ApplyPorts, { stack }: StackPlan, findExport: FindExport) {
    this.#ports = ports;
    this.#stack = stack;
    this.scope = stack.createScope((id) => this.known.get(id), findExport);
  }

  async applyResource(planned: PlannedResource): Promise<void> {
    const { declaration, action, record } = planned;
    const resolved = this.#resolve(planned);
    if (action === 'none' && record !== undefined) {
      await this.#note(resolved, record);
      return;
    }
    if (action === 'replace') return this.#replace(planned, resolved);
    if (action === 'create') return this.#create(resolved, this.#chooseIds(resolved, record));
    const ids = planned.ids ?? this.#chooseIds(resolved, record);
    await this.#update(resolved, ids, record);
    this.#report('changed', declaration.logicalId, declaration.type.name);
  }

  #resolve({ declaration }: PlannedResource): ResolvedDeclaration {
    const resolved = resolveDeclaration(declaration, this.scope, this.#stack);
    const unknown = findUnknownMember(resolved.members);
    if (unknown === undefined) return resolved;
    throw createSourceProblem(
      resolved.places.get(unknown) ?? declaration.place,
      `${unknown} names a resource that the file leaves out.`,
    );
  }

  /** A resource that was being created when an apply was interrupted keeps the id that was chosen then. */
  #chooseIds(resolved: ResolvedDeclaration, record: StackResourceRecord | undefined): ResourceIds {
    const { random, region } = this.#ports;
    const chosen = generateIds(random, region, resolved);
    if (record === undefined || (resolved.poolId !== undefined && resolved.poolId !== record.poolId)) return chosen;
    const isNamed = resolved.physicalId !== undefined && resolved.physicalId !== record.physicalId;
    return isNamed ? chosen : record;
  }

  #report(done: string, logicalId: string, type: string): void {
    this.#ports.report(`${done} ${logicalId} (${type})`);
  }

  async #create(resolved: ResolvedDeclaration, ids: ResourceIds): Promise<void> {
    const { declaration, members } = resolved;
    const { type, logicalId, place } = declaration;
    await this.#record(resolved, ids, 'pending');
    try {
      await type.create(this.#ports.resources, ids, members);
    } catch (error) {
      if (!(error instanceof Error) || !(error instanceof ProviderError || error.name === 'ConflictError')) throw error;
      throw createSourceProblem(place, `${logicalId} could not be created: ${error.message}`, error);
    }
    await this.#settle(resolved, ids);
    this.#report('created', logicalId, type.name);
  }

  async #update(
    resolved: ResolvedDeclaration,
    ids: ResourceIds,
    record: StackResourceRecord | undefined,
  ): Promise<void> {
    const { declaration, members: desired, secretPaths } = resolved;
    const { type, logicalId, place } = declaration;
    const { resources } = this.#ports;
    const current = (await type.find(resources, ids)) ?? {};
    const { changed, removed } = compareResource({ type, desired, secretPaths, current, record });
    await this.#record(resolved, ids, 'pending');
    const isInterrupted = record?.state === 'pending';
    try {
      await type.update(resources, ids, { desired, current, removed, changed, isInterrupted });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw createSourceProblem(place, `${logicalId} could not be changed: ${error.message}`, error);
    }
    await this.#settle(resolved, ids);
  }

  /** The old one is remembered under another name before the new one is made: neither is lost where an apply is interrupted. */
  async #replace({ ids: old, record }: PlannedResource, resolved: ResolvedDeclaration): Promise<void> {
    const { declaration } = resolved;
    const { type, logicalId } = declaration;
    const { lease, resources, random, region } = this.#ports;
    const ids = generateIds(random, region, resolved);
    const before = record ?? (old && createRecord(this.#stack.name, resolved, old, 'applied', this.#ports.clock.now()));
    if (before !== undefined && type.isRemovedFirst) await type.remove?.(resources, before);
    else if (before !== undefined && (type.name === 'UserPool' || before.poolId === ids.poolId)) {
      const remembered = { ...before, logicalId: formatReplacedId(before) };
      await lease.write(({ stacks }) => stacks.putResource(remembered));
      this.#replaced.push(remembered);
    }
    await this.#create(resolved, ids);
    this.#report('replaced', logicalId, type.name);
  }

  async #record(resolved: ResolvedDeclaration, ids: ResourceIds, state: StackResourceRecord['state']): Promise<void> {
    const record = createRecord(this.#stack.name, resolved, ids, state, this.#ports.clock.now());
    await this.#ports.lease.write(({ stacks }) => stacks.putResource(record));
  }

  async #settle(resolved: ResolvedDeclaration, ids: ResourceIds): Promise<void> {
    const described = await this.#note(resolved, ids);
    const { members, secretPaths, declaration } = resolved;
    const record: StackResourceRecord = {
      ...createRecord(this.#stack.name, resolved, ids, 'applied', this.#ports.clock.now()),
      applied: withoutPaths(omitMembers(members, declaration.type.initial ?? []), secretPaths),
      described: withoutPaths(described, secretPaths),
    };
    await this.#ports.lease.write(({ stacks }) => stacks.putResource(record));
  }

  async #note({ declaration }: ResolvedDeclaration, ids: ResourceIds): Promise<Readonly<Record<string, unknown>>> {
    const { type, logicalId, place } = declaration;
    const described = await type.find(this.#ports.resources, ids);
    if (described === undefined) throw createSourceProblem(place, `${logicalId} was removed during the apply.`);
    this.known.set(logicalId, type.readAttributes(ids, described, this.#ports.accountId));
    this.ids.set(logicalId, { poolId: ids.poolId, physicalId: ids.physicalId });
    return described;
  }

  /** Removes dependent resources before the resources that they depend on. */
  async removeAll(removals: readonly PlannedRemoval[]): Promise<void> {
    const planned = removals.filter(({ action }) => action === 'remove').map(({ record }) => record);
    const place = ({ type }: StackResourceRecord) => RESOURCE_TYPES.findIndex(({ name }) => name === type);
    const all = [...planned, ...this.#replaced].toSorted((one, other) => place(other) - place(one));
    for (const record of all) await this.#remove(record);
  }

  async #remove(record: StackResourceRecord): Promise<void> {
    const type = requireResourceType(record.type);
    const { resources, lease } = this.#ports;
    const isThere = (await type.find(resources, record)) !== undefined;
    const reason = isThere ? await this.#tryToRemove(record) : undefined;
    const shown = isReplacedId(record.logicalId) ? record.physicalId : record.logicalId;
    if (reason !== undefined) return this.#ports.report(`kept ${shown} (${record.type}): ${reason}`);
    await lease.write(({ stacks }) => stacks.deleteResource(record.stack, record.logicalId));
    this.#report('removed', shown, record.type);
  }

  /** Why it could not be removed. */
  async #tryToRemove(record: StackResourceRecord): Promise<string | undefined> {
    const { remove, findReasonToKeep } = requireResourceType(record.type);
    if (remove === undefined) return 'nothing removes users';
    const reason = await findReasonToKeep?.(this.#ports.resources, record);
    if (reason !== undefined) return reason;
    try {
      await remove(this.#ports.resources, record);
      return undefined;
    } catch (error) {
      if (error instanceof ProviderError) return error.message;
      throw error;
    }
  }
}

function createRecord(
  stack: string,
  { declaration }: ResolvedDeclaration,
  { poolId, physicalId }: ResourceIds,
  state: StackResourceRecord['state'],
  modifiedAtMs: number,
): StackResourceRecord {
  const { logicalId, type } = declaration;
  return { stack, logicalId, type: type.name, poolId, physicalId, state, applied: {}, described: {}, modifiedAtMs };
}
