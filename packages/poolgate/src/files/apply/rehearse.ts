import { createPool, type PoolOptions } from '@poolgate/pool';
import { ProviderError } from '@poolgate/provider';
import { openStore } from '@poolgate/store';
import { OPERATOR_CALL_CONTEXT } from '../../command-line/operator-call.ts';
import type { StackPlan } from '../plan/plan.ts';
import { type ResolvedDeclaration, resolveDeclaration } from '../plan/resolve-declaration.ts';
import type { ResourceAttributes, ResourceIds, ResourcePorts } from '../resources/resource-type.ts';
import type { Place } from '../sources/source-node.ts';
import { type SourceProblem, SourceProblems } from '../sources/source-problems.ts';
import { StackExports } from '../templates/stack-exports.ts';
import { generateIds } from './generate-ids.ts';

/** The dependencies of a rehearsal's pool. */
export type RehearsalOptions = Pick<
  PoolOptions,
  | 'accountId'
  | 'acceptedUnsupportedSettings'
  | 'appName'
  | 'auditDays'
  | 'clock'
  | 'computations'
  | 'engine'
  | 'keyRing'
  | 'random'
  | 'registrationDays'
  | 'timer'
>;

/** The place that a refusal is about: the member that it names, or the resource. */
function findPlace({ declaration, places }: ResolvedDeclaration, message: string): Place {
  const text = message.toLowerCase();
  const named = [...places]
    .map(([path, place]) => ({
      name:
        path
          .split('.')
          .at(-1)
          ?.replace(/\[\d+\]$/, '') ?? '',
      place,
    }))
    .filter(({ name }) => name.length > 3 && text.includes(name.toLowerCase()))
    .toSorted((one, other) => other.name.length - one.name.length);
  return named[0]?.place ?? declaration.place;
}

/**
 * Creates everything in a plan in an empty in-memory store. This finds anything that the pool rejects before the real store changes.
 * @throws {SourceProblems} with everything that the pool rejects
 */
export async function rehearsePlans(
  plans: readonly StackPlan[],
  region: string,
  options: RehearsalOptions,
): Promise<void> {
  const { poolStore: store, close } = await openStore('sqlite::memory:');
  try {
    const pool = createPool({ ...options, store, senders: {} });
    const ports: ResourcePorts = { operations: pool.operations, pool, call: OPERATOR_CALL_CONTEXT };
    const problems: SourceProblem[] = [];
    const exports = new StackExports();
    for (const plan of plans) problems.push(...(await rehearsePlan(ports, plan, region, options, exports)));
    if (problems.length > 0) throw new SourceProblems(problems);
  } finally {
    await close();
  }
}

async function rehearsePlan(
  ports: ResourcePorts,
  { stack, resources }: StackPlan,
  region: string,
  { random, accountId = '' }: RehearsalOptions,
  exports: StackExports,
): Promise<readonly SourceProblem[]> {
  const known = new Map<string, ResourceAttributes>();
  const made = new Set<string>();
  const scope = stack.createScope((id) => known.get(id), exports.find);
  const problems: SourceProblem[] = [];
  for (const { declaration } of resources) {
    const { type, logicalId } = declaration;
    const resolved = resolveDeclaration(declaration, scope, stack);
    const ids: ResourceIds = {
      ...generateIds(random, region, resolved),
      ...(resolved.poolId && { poolId: resolved.poolId }),
    };
    // A resource of a pool that exists already, and of one that was refused, cannot be tried out.
    if (type.name !== 'UserPool' && !made.has(ids.poolId)) continue;
    try {
      const silent = type.name === 'UserPoolUser' ? { MessageAction: 'SUPPRESS' } : {};
      await type.create(ports, ids, { ...resolved.members, ...silent });
      made.add(ids.poolId);
      known.set(logicalId, type.readAttributes(ids, resolved.members, accountId));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      problems.push({ place: findPlace(resolved, error.message), message: `${logicalId}: ${error.message}` });
    }
  }
  exports.add(stack, scope);
  return problems;
}
