/** Applies planned stacks to the store. A lease allows one apply per stack, and a rehearsal finds refusals first. */
import type { EmbeddedPool } from '@poolgate/pool';
import { OPERATOR_CALL_CONTEXT } from '../../command-line/operator-call.ts';
import type { Container } from '../../container/container.ts';
import type { ServedPool } from '../../providers/backend.ts';
import { readAcceptedUnsupportedSettings } from '../../providers/unsupported-setting-log.ts';
import { createFunctionRecord, FUNCTION_RECORD } from '../../triggers/stack-functions.ts';
import { hasChanges, type StackPlan } from '../plan/plan.ts';
import { type PlanOptions, planStack } from '../plan/plan-stack.ts';
import type { ResourcePorts } from '../resources/resource-type.ts';
import { findStacks } from '../templates/find-stacks.ts';
import type { Stack, StackContext } from '../templates/stack.ts';
import { StackExports } from '../templates/stack-exports.ts';
import { type AppliedStack, type ApplyPorts, applyPlan } from './apply-plan.ts';
import { findHandlers } from './find-handlers.ts';
import { type RehearsalOptions, rehearsePlans } from './rehearse.ts';
import { type HeldLease, withStackLease } from './stack-lease.ts';

/** The files to apply, and the allowed changes. */
export interface ApplyRequest {
  /** Files and folders. */
  readonly operands: readonly string[];
  readonly stackName?: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isReplacementAllowed: boolean;
  readonly isPruning: boolean;
  /** The folder with the handlers of Lambda functions; development only. */
  readonly handlers?: string | undefined;
}

/** Where files are applied. */
export interface ApplyTarget {
  readonly container: Container & ServedPool;
  readonly pool: EmbeddedPool;
}

const NO_ACCOUNT = '000000000000';

/** Plans and applies files in one store. */
export class FileApplier {
  readonly #container: ApplyTarget['container'];
  readonly #ports: ResourcePorts;
  readonly #request: ApplyRequest;
  readonly #region: string;
  readonly #options: PlanOptions;

  constructor({ container, pool }: ApplyTarget, request: ApplyRequest) {
    this.#container = container;
    this.#ports = { operations: pool.operations, pool, call: OPERATOR_CALL_CONTEXT };
    this.#request = request;
    this.#region = container.userPoolId.slice(0, container.userPoolId.indexOf('_'));
    this.#options = {
      accountId: container.configuration.settings.accountId ?? NO_ACCOUNT,
      isReplacementAllowed: request.isReplacementAllowed,
      isPruning: request.isPruning,
      acceptsUnsupported: readAcceptedUnsupportedSettings(container.configuration),
    };
  }

  /** @throws {SourceProblems} the files are rejected */
  findStacks(): Promise<readonly Stack[]> {
    const { operands, stackName, parameters, environment } = this.#request;
    const context: StackContext = {
      region: this.#region,
      accountId: this.#options.accountId,
      parameters,
      environment,
      allowsPins: this.#container.configuration.mode === 'development',
    };
    return findStacks(operands, context, stackName);
  }

  /**
   * Returns what an apply of the stacks would do. Nothing is changed.
   * @throws {SourceProblems} the files are rejected
   */
  async plan(stacks: readonly Stack[]): Promise<readonly StackPlan[]> {
    const exports = new StackExports();
    const plans: StackPlan[] = [];
    for (const stack of stacks) {
      const plan = await this.#planStack(stack, exports);
      exports.add(stack, plan.scope);
      plans.push(plan);
    }
    const changing = plans.some(hasChanges);
    if (changing) await rehearsePlans(plans, this.#region, this.#createRehearsalOptions());
    return plans;
  }

  async #planStack(stack: Stack, exports: StackExports): Promise<StackPlan> {
    const records = await this.#container.store.stacks.listResources(stack.name);
    const resources = records.filter(({ type }) => type !== FUNCTION_RECORD);
    return planStack(this.#ports, stack, resources, exports.find, this.#options);
  }

  #createRehearsalOptions(): RehearsalOptions {
    const { keyRing, engine, clock, random, timer, threads, configuration } = this.#container;
    const { auditDays, appName, accountId, registrationDays } = configuration.settings;
    return {
      keyRing,
      engine,
      clock,
      random,
      timer,
      computations: threads.computations,
      auditDays,
      appName,
      accountId,
      registrationDays,
      acceptedUnsupportedSettings: this.#options.acceptsUnsupported,
    };
  }

  /**
   * Applies stacks that {@link plan} has accepted. Each is planned again once no other process can change it.
   * @param onWait called with the name of a stack that another process is changing
   */
  async apply(
    stacks: readonly Stack[],
    report: ApplyPorts['report'],
    onWait: (stack: string) => void,
  ): Promise<readonly AppliedStack[]> {
    const exports = new StackExports();
    const applied: AppliedStack[] = [];
    for (const stack of stacks) {
      const done = await withStackLease(
        this.#container,
        stack.name,
        () => onWait(stack.name),
        async (lease) => {
          const plan = await this.#planStack(stack, exports);
          const { clock, random } = this.#container;
          const { accountId } = this.#options;
          const ports = { resources: this.#ports, lease, clock, random, region: this.#region, accountId, report };
          const made = await applyPlan(ports, plan, exports.find);
          await this.#recordHandlers(stack, lease, report);
          return made;
        },
      );
      exports.add(stack, done.scope);
      applied.push(done);
    }
    return applied;
  }

  /** Records the file of each function: the service loads them at its start. */
  async #recordHandlers(stack: Stack, lease: HeldLease, report: ApplyPorts['report']): Promise<void> {
    const { handlers } = this.#request;
    if (handlers === undefined) return;
    const files = await findHandlers(stack, handlers);
    await lease.write(async ({ stacks }) => {
      for (const record of await stacks.listResources(stack.name)) {
        if (record.type === FUNCTION_RECORD) await stacks.deleteResource(stack.name, record.logicalId);
      }
      for (const { logicalId, arn, path } of files) {
        const owner = { stack: stack.name, logicalId, modifiedAtMs: this.#container.clock.now() };
        if (path !== undefined) await stacks.putResource(createFunctionRecord(owner, arn, path));
      }
    });
    for (const { logicalId, path } of files) {
      report(path === undefined ? `no file for ${logicalId} in ${handlers}` : `${logicalId} is ${path}`);
    }
  }
}
