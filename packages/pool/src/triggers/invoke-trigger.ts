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

/** The subject of a trigger's call. */
export interface TriggerInvocation<Kind extends TriggerKind> {
  readonly pool: Pick<PoolRecord, 'id' | 'region'>;
  /** Undefined for an administrator, who uses no client. */
  readonly clientId: string | undefined;
  readonly source: TriggerSource<Kind>;
  readonly userName: string;
  readonly request: TriggerRequests[Kind];
}

/** Cognito's value if the SDK is unknown, and without a client. */
const UNKNOWN_SDK = 'aws-sdk-unknown-unknown';
const NO_CLIENT = 'CLIENT_ID_NOT_APPLICABLE';

/**
 * Calls a function and parses its response. Anything other than a valid response is a refusal, so an unreachable function admits no one.
 * @throws {ProviderError} `UserLambdaValidationException`: it refused; `UnexpectedLambdaException`: it could not be called;
 *   `InvalidLambdaResponseException`: its response is invalid
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

/** Whether a pool's trigger has a target. Reports one without a target, because a call is about to need it. */
export function isTriggerMapped(
  { triggers, onUnmappedTrigger }: Pick<TriggerPorts, 'triggers' | 'onUnmappedTrigger'>,
  { kind, arn }: ConfiguredTrigger<TriggerKind>,
  userPoolId: string,
): boolean {
  if (triggers?.targetOf(arn) !== undefined) return true;
  onUnmappedTrigger?.({ userPoolId, arn, triggers: [TRIGGER_DEFINITIONS[kind].name] }, 'called');
  return false;
}

/** Creates the event of a call without undefined members. */
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

/** Parses the outcome of a call. Only the `response` counts, limited to the members of this kind of trigger. */
function parseTriggerOutcome<Kind extends TriggerKind>(kind: Kind, outcome: TriggerOutcome): TriggerResponses[Kind] {
  const { name, read } = TRIGGER_DEFINITIONS[kind];
  if (outcome.kind === 'refused') throw triggerRefusedError(name, outcome.message);
  if (outcome.kind === 'failed') throw triggerCallFailedError(name, outcome.why);
  if (outcome.answer === undefined) throw triggerResponseNotJsonError();
  try {
    return read(parseObject(parseObject(outcome.answer).response)) as TriggerResponses[Kind];
  } catch (cause) {
    // Other errors from parsing a response, such as nesting that is too deep.
    throw cause instanceof ProviderError ? cause : invalidTriggerResponseError();
  }
}
