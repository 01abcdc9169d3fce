import { ProviderError } from '@poolgate/provider';
import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import type { RequestCaller } from '../kernel/ports.ts';
import type { MessageRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger, isTriggerMapped } from '../triggers/invoke-trigger.ts';
import type { TriggerSource } from '../triggers/trigger-definitions.ts';
import type { TriggerInput } from '../triggers/trigger-invoker.ts';
import { composeMessage, type TemplateValues } from './compose-message.ts';
import type { CustomMessagePorts } from './delivery-ports.ts';

/** The reason for asking a trigger for a message's text. */
export type CustomMessageSource = TriggerSource<'CustomMessage'>;

/** The user and reason of a message, as passed to the trigger. */
export interface CustomMessageSubject {
  /** The canonical username. */
  readonly userName: string;
  readonly source: CustomMessageSource;
}

/** The data stored with a message until a trigger provides its text. */
export interface PendingCustomMessage extends CustomMessageSubject {
  /** The caller that caused the message. Absent in messages from earlier releases. */
  readonly caller?: RequestCaller | undefined;
  readonly clientId?: string | undefined;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
  readonly values: Omit<TemplateValues, 'channel' | 'override'>;
}

/**
 * Creates the data to store with a message; undefined if the pool has no such trigger. The trigger runs when the message is sent, not
 * during the request. Neither the response nor its timing then differs for an unknown username.
 */
export function createPendingCustomMessage(
  { triggerInput, caller }: { readonly triggerInput: TriggerInput; readonly caller: RequestCaller },
  { settings }: PoolRecord,
  about: CustomMessageSubject | undefined,
  values: PendingCustomMessage['values'],
): PendingCustomMessage | undefined {
  if (about === undefined || findConfiguredTrigger(settings, 'CustomMessage') === undefined) return undefined;
  const { ClientId: clientId, ClientMetadata } = triggerInput;
  // Cognito does not pass the metadata of login steps to message triggers.
  const clientMetadata = about.source === 'CustomMessage_Authentication' ? undefined : ClientMetadata;
  return { ...about, caller: { ...caller }, clientId, clientMetadata, values };
}

/** The text of a message to send. `refused`, `failed`: the trigger provided none. `not_mapped`: the trigger has no target. */
export type CustomMessageResult = ReturnType<typeof composeMessage> | 'failed' | 'refused' | 'not_mapped' | undefined;

/** A message that waits for its trigger blocks others, so it soon gives up its turn and is retried later. */
const TURN_PATIENCE_MS = 1_000;

/** Calls the pool's trigger with the current settings and the current user. Undefined: the text stays the same. */
export async function invokeCustomMessage(
  ports: CustomMessagePorts,
  record: MessageRecord,
  wording: PendingCustomMessage,
): Promise<CustomMessageResult> {
  const pool = await ports.store.pools.byId(record.poolId);
  if (pool === undefined) return undefined;
  const trigger = findConfiguredTrigger(pool.settings, 'CustomMessage');
  const user = await ports.store.users.byUsername(pool.id, wording.userName);
  if (trigger === undefined || user === undefined) return undefined;
  if (!isTriggerMapped(ports, trigger, pool.id)) return ports.sendsWithoutUnmappedTrigger ? undefined : 'not_mapped';
  const { source, clientId, values, userName } = wording;
  try {
    const question = { pool, clientId, source, userName, request: createCustomMessageRequest(wording, user) };
    const { caller = ports.caller } = wording;
    const callPorts = { ...ports, caller, turnPatienceMs: TURN_PATIENCE_MS };
    const override = await invokeTrigger(callPorts, trigger, question);
    const { appName } = ports;
    const brand = ports.findMailBrand?.(pool.id, clientId);
    return composeMessage(pool.settings, { ...values, channel: record.channel, override, appName, brand });
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    return cause.code === 'UserLambdaValidationException' ? 'refused' : 'failed';
  }
}

function createCustomMessageRequest({ source, clientMetadata }: PendingCustomMessage, user: UserRecord) {
  return {
    userAttributes: toTriggerAttributes(user),
    codeParameter: '{####}',
    linkParameter: '{##Click Here##}',
    usernameParameter: source === 'CustomMessage_AdminCreateUser' ? '{username}' : null,
    clientMetadata,
  };
}
