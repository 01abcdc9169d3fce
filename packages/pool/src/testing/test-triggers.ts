import type { TriggerEvent, TriggerInvoker, TriggerOutcome } from '../triggers/trigger-invoker.ts';
import { openTestEnvironment } from './test-environment.ts';
import { openTestPoolOn, type TestPool, type TestPoolOptions } from './test-pool.ts';

/** A test's replacement for a Lambda function: returns its result or throws. */
export type TestTrigger = (event: TriggerEvent) => unknown;

/** The ARN of a test function. */
export function formatTriggerArn(name: string): string {
  return `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
}

/** Functions by name, which can change while a pool runs, and the events of their calls. */
export interface TestTriggers {
  readonly functions: Record<string, TestTrigger>;
  readonly invoker: TriggerInvoker;
  /** Returns the events since the last call, oldest first. */
  takeEvents(): readonly TriggerEvent[];
}

/** Runs functions like Lambda: inputs and outputs are only JSON. */
export function createTestTriggers(functions: Record<string, TestTrigger> = {}): TestTriggers {
  let events: TriggerEvent[] = [];
  const invoke = async (run: TestTrigger, event: TriggerEvent): Promise<TriggerOutcome> => {
    events.push(event);
    try {
      const answer = JSON.stringify(await run(JSON.parse(JSON.stringify(event))));
      return { kind: 'answered', answer: answer === undefined ? null : JSON.parse(answer) };
    } catch (error) {
      return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
  };
  return {
    functions,
    invoker: {
      targetOf(arn) {
        const run = functions[arn.split(':').at(-1) ?? ''];
        return run && { invoke: (event) => invoke(run, event) };
      },
    },
    takeEvents() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

type LambdaConfig = NonNullable<NonNullable<TestPoolOptions['pool']>['kept']>['LambdaConfig'];

/** A pool whose settings name functions. */
export async function openTriggeredPool(
  databaseUrl: string,
  { invoker }: Pick<TestTriggers, 'invoker'>,
  LambdaConfig: LambdaConfig,
  options: TestPoolOptions = {},
): Promise<TestPool> {
  const opened = await openTestEnvironment(databaseUrl);
  const ports = { ...opened.options, triggers: invoker };
  const pool = { ...options.pool, kept: { ...(LambdaConfig && { LambdaConfig }) } };
  return openTestPoolOn({ ...opened, options: ports }, { ...options, pool });
}
