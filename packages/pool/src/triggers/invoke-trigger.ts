import { ProviderError } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';
import { objectIn } from './answers.ts';
import { callTrigger } from './call-trigger.ts';
import type { ConfiguredTrigger } from './configured.ts';
import type { TriggerEvent, TriggerOutcome } from './invoker.ts';
import {
  TRIGGER_POINTS,
  type TriggerKind,
  type TriggerRequests,
  type TriggerSource,
  type TriggerVerdicts,
} from './points.ts';
import { noJsonFromTrigger, refusedByTrigger, triggerNotCalled, unrecognizableAnswer } from './trigger-errors.ts';
import type { TriggerPorts } from './trigger-ports.ts';

/** Who and what a trigger is called about. */
export interface TriggerCall<Kind extends TriggerKind> {
  readonly pool: Pick<PoolRecord, 'id' | 'region'>;
  /** Undefined where an administrator asks, who uses no client. */
  readonly clientId: string | undefined;
  readonly source: TriggerSource<Kind>;
  readonly userName: string;
  readonly request: TriggerRequests[Kind];
}

/** What Cognito writes where it does not know the SDK, and where there is no client. */
const UNKNOWN_SDK = 'aws-sdk-unknown-unknown';
const NO_CLIENT = 'CLIENT_ID_NOT_APPLICABLE';

/**
 * Calls a function and reads its verdict. Whatever is not a good answer is a refusal: nobody is let through because nobody could be asked.
 * @throws {ProviderError} `UserLambdaValidationException`: it said no; `UnexpectedLambdaException`: it could not be asked;
 *   `InvalidLambdaResponseException`: what it said is not understood
 */
export async function invokeTrigger<Kind extends TriggerKind>(
  ports: TriggerPorts,
  { kind, arn }: ConfiguredTrigger<Kind>,
  question: TriggerCall<Kind>,
): Promise<TriggerVerdicts[Kind]> {
  isMapped(ports, { kind, arn }, question.pool.id);
  const outcome = await callTrigger(ports, arn, triggerEvent(kind, question));
  return readVerdict(kind, outcome);
}

/** Whether something can be called for a trigger of a pool. Reports one for which nothing can, because its call is about to be needed. */
export function isMapped(
  { triggers, onUnmappedTrigger }: Pick<TriggerPorts, 'triggers' | 'onUnmappedTrigger'>,
  { kind, arn }: ConfiguredTrigger<TriggerKind>,
  userPoolId: string,
): boolean {
  if (triggers?.targetOf(arn) !== undefined) return true;
  onUnmappedTrigger?.({ userPoolId, arn, triggers: [TRIGGER_POINTS[kind].name] }, 'called');
  return false;
}

/** The event of a call, as it is sent: without what is undefined. */
function triggerEvent<Kind extends TriggerKind>(
  kind: Kind,
  { pool, clientId = NO_CLIENT, source, userName, request }: TriggerCall<Kind>,
): TriggerEvent {
  const { version, response } = TRIGGER_POINTS[kind];
  const event = {
    version,
    triggerSource: source,
    region: pool.region,
    userPoolId: pool.id,
    userName,
    callerContext: { awsSdkVersion: UNKNOWN_SDK, clientId },
    request,
    response,
  };
  return JSON.parse(JSON.stringify(event)) as TriggerEvent;
}

/** Reads what became of a call. Of the answer only its `response` counts, and nothing that this kind of trigger does not say. */
function readVerdict<Kind extends TriggerKind>(kind: Kind, outcome: TriggerOutcome): TriggerVerdicts[Kind] {
  const { name, read } = TRIGGER_POINTS[kind];
  if (outcome.kind === 'refused') throw refusedByTrigger(name, outcome.message);
  if (outcome.kind === 'failed') throw triggerNotCalled(name, outcome.why);
  if (outcome.answer === undefined) throw noJsonFromTrigger();
  try {
    return read(objectIn(objectIn(outcome.answer).response)) as TriggerVerdicts[Kind];
  } catch (cause) {
    // Whatever else an answer does to its reader, such as being nested too deep.
    throw cause instanceof ProviderError ? cause : unrecognizableAnswer();
  }
}
