import { ProviderError } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';
import { callTrigger } from './call-trigger.ts';
import type { ConfiguredTrigger } from './configured-triggers.ts';
import { parseObject } from './parse-trigger-response.ts';
import {
  TRIGGER_DEFINITIONS,
  type TriggerKind,
  type TriggerRequests,
  type TriggerResponses,
  type TriggerSource,
} from './trigger-definitions.ts';
import {
  invalidTriggerResponseError,
  triggerCallFailedError,
  triggerRefusedError,
  triggerResponseNotJsonError,
} from './trigger-errors.ts';
import type { TriggerEvent, TriggerOutcome } from './trigger-invoker.ts';
import type { TriggerPorts } from './trigger-ports.ts';

/** Who and what a trigger is called about. */
export interface TriggerInvocation<Kind extends TriggerKind> {
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
  question: TriggerInvocation<Kind>,
): Promise<TriggerResponses[Kind]> {
  isTriggerMapped(ports, { kind, arn }, question.pool.id);
  const outcome = await callTrigger(ports, arn, createTriggerEvent(kind, question));
  return parseTriggerOutcome(kind, outcome);
}

/** Whether something can be called for a trigger of a pool. Reports one for which nothing can, because its call is about to be needed. */
export function isTriggerMapped(
  { triggers, onUnmappedTrigger }: Pick<TriggerPorts, 'triggers' | 'onUnmappedTrigger'>,
  { kind, arn }: ConfiguredTrigger<TriggerKind>,
  userPoolId: string,
): boolean {
  if (triggers?.targetOf(arn) !== undefined) return true;
  onUnmappedTrigger?.({ userPoolId, arn, triggers: [TRIGGER_DEFINITIONS[kind].name] }, 'called');
  return false;
}

/** The event of a call, as it is sent: without what is undefined. */
function createTriggerEvent<Kind extends TriggerKind>(
  kind: Kind,
  { pool, clientId = NO_CLIENT, source, userName, request }: TriggerInvocation<Kind>,
): TriggerEvent {
  const { version, response } = TRIGGER_DEFINITIONS[kind];
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
function parseTriggerOutcome<Kind extends TriggerKind>(kind: Kind, outcome: TriggerOutcome): TriggerResponses[Kind] {
  const { name, read } = TRIGGER_DEFINITIONS[kind];
  if (outcome.kind === 'refused') throw triggerRefusedError(name, outcome.message);
  if (outcome.kind === 'failed') throw triggerCallFailedError(name, outcome.why);
  if (outcome.answer === undefined) throw triggerResponseNotJsonError();
  try {
    return read(parseObject(parseObject(outcome.answer).response)) as TriggerResponses[Kind];
  } catch (cause) {
    // Whatever else an answer does to its reader, such as being nested too deep.
    throw cause instanceof ProviderError ? cause : invalidTriggerResponseError();
  }
}
