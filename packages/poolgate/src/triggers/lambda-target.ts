import type { InvokeCommandInput, InvokeCommandOutput, LambdaClient, LambdaClientConfig } from '@aws-sdk/client-lambda';
import type { TriggerOutcome, TriggerTarget } from '@poolgate/pool';
import { parseJsonResponse } from './json-answer.ts';

/** The settings for Lambda calls. The AWS SDK's own settings supply omitted values. */
export type LambdaSettings = Pick<LambdaClientConfig, 'credentials' | 'endpoint'>;

const TIMEOUTS = { connectionTimeout: 2_000, requestTimeout: 6_000, throwOnRequestTimeout: true };

/**
 * Calls Lambda functions by ARN, in the ARN's region.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function createLambdaTargets(settings: LambdaSettings): (arn: string) => TriggerTarget {
  const clients = new Map<string, Promise<LambdaClient>>();
  const getClient = (region: string): Promise<LambdaClient> => {
    const known = clients.get(region);
    if (known !== undefined) return known;
    const opened = openClient({ ...settings, region });
    clients.set(region, opened);
    return opened;
  };
  return (arn) => ({
    async invoke(event, abortSignal) {
      try {
        const [client, { InvokeCommand }] = await Promise.all([
          getClient(arn.split(':').at(3) ?? ''),
          import('@aws-sdk/client-lambda'),
        ]);
        const Payload = Buffer.from(JSON.stringify(event));
        const invoked = { ...nameFunction(arn, settings), Payload };
        return toTriggerOutcome(await client.send(new InvokeCommand(invoked), { abortSignal }));
      } catch (error) {
        return toFailureOutcome(error);
      }
    },
  });
}

/** Lambda gets the complete ARN, which also names the account. Some emulators know functions only by name. */
function nameFunction(
  arn: string,
  { endpoint }: LambdaSettings,
): Pick<InvokeCommandInput, 'FunctionName' | 'Qualifier'> {
  if (endpoint === undefined) return { FunctionName: arn };
  const [FunctionName, Qualifier] = arn.split(':').slice(6);
  return { FunctionName, Qualifier };
}

/** Loaded only for calls of Lambda. The pool itself repeats attempts. */
async function openClient(settings: LambdaClientConfig): Promise<LambdaClient> {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  return new LambdaClient({ requestHandler: TIMEOUTS, ...settings, maxAttempts: 1 });
}

function toTriggerOutcome({ FunctionError, Payload }: InvokeCommandOutput): TriggerOutcome {
  const { answer } = parseJsonResponse(Payload ?? new Uint8Array());
  if (FunctionError === undefined) return { kind: 'answered', answer };
  const { errorMessage } = (answer ?? {}) as { readonly errorMessage?: unknown };
  return { kind: 'refused', message: typeof errorMessage === 'string' ? errorMessage : FunctionError };
}

interface SdkError {
  readonly name?: string;
  /** The system's code, if the connection failed. */
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Permanent errors: Lambda answered, and would return this error every time, for this event or for any. */
const PERMANENT = /^(?:AccessDenied|ResourceNotFound|InvalidRequestContent|RequestTooLarge|InvalidParameterValue)/;

/** No connection was made, so the event's content cannot be the reason. */
const REFUSED_CODES: ReadonlySet<string | undefined> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

/** Only the name: Lambda's message may contain details for the operator only. */
function toFailureOutcome(error: unknown): TriggerOutcome {
  const { name = '', code, $metadata } = error as SdkError;
  const isSaid = $metadata?.httpStatusCode !== undefined && /^[A-Za-z]{1,64}Exception$/.test(name);
  const why = isSaid ? name : 'ServiceException';
  if (PERMANENT.test(name)) return { kind: 'failed', why, isWorthRetrying: false, isReached: true };
  const failed = { kind: 'failed', why, isWorthRetrying: true } as const;
  return REFUSED_CODES.has(code) ? { ...failed, isRefused: true } : failed;
}
