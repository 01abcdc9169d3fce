import type { TriggerEvent, TriggerOutcome, TriggerTarget } from '@poolgate/pool';

/**
 * A function in the form of a Lambda handler in Node: it receives event, context and callback, and returns the completed event. The
 * parameter types are unrestricted.
 */
export type TriggerFunction = (event: never, context: never, callback: never) => unknown;

/** The context of a Lambda function, as far as it has a meaning here. */
interface LambdaContext {
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly awsRequestId: string;
  callbackWaitsForEmptyEventLoop: boolean;
  getRemainingTimeInMillis(): number;
  done(error?: unknown, answer?: unknown): void;
  fail(error: unknown): void;
  succeed(answer: unknown): void;
}

type Callback = (error?: unknown, answer?: unknown) => void;

const TIMEOUT_MS = 5_000;

/** Calls a function in this process. Its input and output are copied as JSON, so that it cannot change shared objects. */
export function createFunctionTarget(arn: string, find: () => Promise<TriggerFunction>): TriggerTarget {
  return {
    async invoke(event, _signal, id) {
      try {
        return toTriggerOutcome(await runHandler(await find(), arn, { event, id }));
      } catch (error) {
        return { kind: 'refused', message: toErrorMessage(error) };
      }
    },
  };
}

/** Settles with whatever comes first, as in Lambda: a returned promise or the callback. */
function runHandler(
  handler: TriggerFunction,
  arn: string,
  { event, id }: { readonly event: TriggerEvent; readonly id: string },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, answer) =>
      error === undefined || error === null ? resolve(answer) : reject(error);
    const call = handler as (event: unknown, context: LambdaContext, callback: Callback) => unknown;
    const given = call(structuredClone(event), createLambdaContext({ arn, id }, callback), callback);
    if (given !== undefined) resolve(given);
    else if (handler.length < 2) resolve(null);
  });
}

function createLambdaContext(
  { arn, id }: { readonly arn: string; readonly id: string },
  callback: Callback,
): LambdaContext {
  const untilMs = performance.now() + TIMEOUT_MS;
  return {
    functionName: arn.split(':').at(6) ?? arn,
    functionVersion: '$LATEST',
    invokedFunctionArn: arn,
    awsRequestId: id,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, untilMs - performance.now()),
    done: callback,
    fail: (error) => callback(error ?? new Error('failed')),
    succeed: (answer) => callback(null, answer),
  };
}

function toTriggerOutcome(answer: unknown): TriggerOutcome {
  return { kind: 'answered', answer: JSON.parse(JSON.stringify(answer ?? null) ?? 'null') };
}

/** Like Lambda: the message of an error, or the text of any other value. */
function toErrorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? 'unknown');
}
