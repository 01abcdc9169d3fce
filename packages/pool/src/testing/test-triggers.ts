import type { TriggerEvent, TriggerInvoker, TriggerOutcome } from '../triggers/trigger-invoker.ts';
import { openTestEnvironment } from './test-environment.ts';
import { openTestPoolOn, type TestPool, type TestPoolOptions } from './test-pool.ts';

/** What a test puts in the place of a Lambda function: gives what it answers, or throws. */
export type TestTrigger = (event: TriggerEvent) => unknown;

/** The ARN of a function of these tests. */
export function formatTriggerArn(name: string): string {
  return `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
}

/** Functions by name that can be changed while a pool runs, and the events that they were called with. */
export interface TestTriggers {
  readonly functions: Record<string, TestTrigger>;
  readonly invoker: TriggerInvoker;
  /** The events since the last time, oldest first. */
  takeEvents(): readonly TriggerEvent[];
}

/** Runs functions as Lambda does: nothing but JSON goes in and comes out. */
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
