import type { Invocation, RunCommand, Terminal } from '../command-line/command.ts';
import { CommandError, UsageError } from '../command-line/command.ts';
import { type ApplyRequest, FileApplier } from '../files/apply/apply-files.ts';
import { ANSI_PAINT, formatDrift, formatPlan, PLAIN_PAINT, toPlanJson } from '../files/plan/format-plan.ts';
import { hasChanges, type StackPlan } from '../files/plan/plan.ts';
import { SourceProblems } from '../files/sources/source-problems.ts';
import type { Stack } from '../files/templates/stack.ts';
import { withEmbeddedPool } from './with-container.ts';

function parseParameters(invocation: Invocation): ReadonlyMap<string, string> {
  return new Map(
    invocation.values('parameter').map((text) => {
      const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined) throw new UsageError('--parameter must have the form name=value');
      return [name, value];
    }),
  );
}

function readRequest(invocation: Invocation, { environment }: Terminal): ApplyRequest {
  const [stackName] = invocation.values('stack');
  return {
    operands: invocation.operands,
    ...(stackName !== undefined && { stackName }),
    parameters: parseParameters(invocation),
    environment,
    isReplacementAllowed: invocation.has('allow-replace'),
    isPruning: invocation.has('prune'),
  };
}

/** What is wrong with files is told by line, and is no fault of the program. */
async function translateSourceProblems<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SourceProblems) throw new CommandError(`the files are refused\n${error.message}`, error);
    throw error;
  }
}

function printPlans(plans: readonly StackPlan[], invocation: Invocation, terminal: Terminal): void {
  const paint = terminal.hasColors ? ANSI_PAINT : PLAIN_PAINT;
  if (invocation.has('json')) {
    for (const plan of plans) terminal.out(JSON.stringify(toPlanJson(plan)));
    return;
  }
  const format = invocation.has('drift') ? formatDrift : formatPlan;
  for (const line of plans.flatMap((plan) => format(plan, paint))) terminal.out(line);
}

const isDrifted = ({ resources }: StackPlan): boolean =>
  resources.some(
    ({ drift, action, record }) => drift.length > 0 || (action === 'create' && record?.state === 'applied'),
  );

async function applyStacks(
  applier: FileApplier,
  stacks: readonly Stack[],
  plans: readonly StackPlan[],
  { out, err }: Terminal,
  isJson: boolean,
): Promise<void> {
  const report = (line: string) => (isJson ? err(line) : out(line));
  await applier.apply(stacks, report, (stack) => err(`waiting for another apply of the stack ${stack}`));
  if (!plans.some(hasChanges)) report('nothing to change');
}

/** Makes pools and what belongs to them from files. Prints what it will do, and then what it did. */
export const runApply: RunCommand = async (invocation, terminal) => {
  const request = readRequest(invocation, terminal);
  return withEmbeddedPool(terminal, async (container, pool) => {
    const applier = new FileApplier({ container, pool }, request);
    const stacks = await translateSourceProblems(applier.findStacks());
    const plans = await translateSourceProblems(applier.plan(stacks));
    printPlans(plans, invocation, terminal);
    if (invocation.has('drift')) return plans.some(isDrifted) ? 1 : 0;
    if (invocation.has('dry-run')) return 0;
    await translateSourceProblems(applyStacks(applier, stacks, plans, terminal, invocation.has('json')));
    return 0;
  });
};
