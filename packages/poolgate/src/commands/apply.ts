import type { Invocation, RunCommand, Terminal } from '../command-line/command.ts';
import { CommandError, UsageError } from '../command-line/command.ts';
import { type ApplyRequest, FileApplier } from '../files/apply/apply-files.ts';
import { formatOutputs, OUTPUT_FORMATS, type StackResult } from '../files/outputs/format-outputs.ts';
import { createPoolsFileSchema } from '../files/outputs/pools-file-schema.ts';
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
  const [handlers] = invocation.values('handlers');
  return {
    operands: invocation.operands,
    ...(stackName !== undefined && { stackName }),
    parameters: parseParameters(invocation),
    environment,
    isReplacementAllowed: invocation.has('allow-replace'),
    isPruning: invocation.has('prune'),
    ...(handlers !== undefined && { handlers }),
  };
}

/** Errors in files are reported by line, and are not program errors. */
async function translateSourceProblems<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SourceProblems) throw new CommandError(`the files are refused\n${error.message}`, error);
    throw error;
  }
}

function printPlans(plans: readonly StackPlan[], invocation: Invocation, terminal: Terminal): void {
  if (invocation.has('output')) return;
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
  invocation: Invocation,
): Promise<readonly StackResult[]> {
  // If a program reads the standard output, the steps go to the standard error stream.
  const report = invocation.has('json') || invocation.has('output') ? err : out;
  const applied = await applier.apply(stacks, report, (stack) =>
    err(`waiting for another apply of the stack ${stack}`),
  );
  if (!plans.some(hasChanges)) report('nothing to change');
  return stacks.flatMap((stack, index) => {
    const done = applied[index];
    return done === undefined ? [] : [{ stack, applied: done }];
  });
}

/** How an Amplify app reaches this service, since its outputs have no member for the address. */
function formatAmplifyHint(baseUrl: string): string {
  return `Set the address in your app: const config = parseAmplifyConfig(outputs); config.Auth.Cognito.userPoolEndpoint = '${baseUrl}/'; Amplify.configure(config);`;
}

function readOutputFormat(invocation: Invocation): string | undefined {
  const [format] = invocation.values('output');
  if (format === undefined || OUTPUT_FORMATS.includes(format)) return format;
  throw new UsageError(`--output must be one of ${OUTPUT_FORMATS.join(', ')}`);
}

/** Creates pools and their resources from files. Prints the plan, and then the result. */
export const runApply: RunCommand = async (invocation, terminal) => {
  if (invocation.has('schema')) {
    terminal.out(JSON.stringify(createPoolsFileSchema(), null, 2));
    return 0;
  }
  if (invocation.operands.length === 0) throw new UsageError('name a file or folder to apply');
  const request = readRequest(invocation, terminal);
  const format = readOutputFormat(invocation);
  return withEmbeddedPool(terminal, async (container, pool) => {
    if (request.handlers !== undefined && container.configuration.mode !== 'development') {
      throw new UsageError('--handlers works in development only; production calls what POOLGATE_TRIGGER_MAP names');
    }
    const applier = new FileApplier({ container, pool }, request);
    const stacks = await translateSourceProblems(applier.findStacks());
    const plans = await translateSourceProblems(applier.plan(stacks));
    printPlans(plans, invocation, terminal);
    if (invocation.has('drift')) return plans.some(isDrifted) ? 1 : 0;
    if (invocation.has('dry-run')) return 0;
    const results = await translateSourceProblems(applyStacks(applier, stacks, plans, terminal, invocation));
    if (format === undefined) return 0;
    const { baseUrl = `http://localhost:${container.configuration.settings.port}` } = container.configuration.settings;
    terminal.out(await formatOutputs(format, results, { operations: pool.operations, baseUrl }));
    if (format === 'amplify') terminal.err(formatAmplifyHint(baseUrl));
    return 0;
  });
};
