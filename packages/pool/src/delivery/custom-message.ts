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

/** Why a trigger is called for the text of a message. */
export type CustomMessageSource = TriggerSource<'CustomMessage'>;

/** About whom a message is, and why it is sent: what the trigger is told. */
export interface CustomMessageSubject {
  /** The canonical user name. */
  readonly userName: string;
  readonly source: CustomMessageSource;
}

/** What is kept with a message until a trigger is called for its text. */
export interface PendingCustomMessage extends CustomMessageSubject {
  /** Who caused the message. Absent in messages that were queued by earlier releases. */
  readonly caller?: RequestCaller | undefined;
  readonly clientId?: string | undefined;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
  readonly values: Omit<TemplateValues, 'channel' | 'override'>;
}

/**
 * What is to be kept with a message; undefined where the pool has no such trigger. It is called when the message is sent, and not by the
 * request that causes it: neither the answer nor its time then differ for a name that nobody has.
 */
export function createPendingCustomMessage(
  { triggerInput, caller }: { readonly triggerInput: TriggerInput; readonly caller: RequestCaller },
  { settings }: PoolRecord,
  about: CustomMessageSubject | undefined,
  values: PendingCustomMessage['values'],
): PendingCustomMessage | undefined {
  if (about === undefined || findConfiguredTrigger(settings, 'CustomMessage') === undefined) return undefined;
  const { ClientId: clientId, ClientMetadata } = triggerInput;
  // What starts or continues a login is not for messages (Cognito).
  const clientMetadata = about.source === 'CustomMessage_Authentication' ? undefined : ClientMetadata;
  return { ...about, caller: { ...caller }, clientId, clientMetadata, values };
}

/** The words of a message that is to be sent; `refused`, `failed`: the trigger gave none; `not_mapped`: nothing can be called for it. */
export type CustomMessageResult = ReturnType<typeof composeMessage> | 'failed' | 'refused' | 'not_mapped' | undefined;

/** A message that waits for its trigger keeps others from being sent, so it gives up its place soon and is tried again later. */
const TURN_PATIENCE_MS = 1_000;

/** Asks the trigger of the pool, as the settings name it by now, about the user as it is by now. Undefined: the words stay as they are. */
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
    return composeMessage(pool.settings, { ...values, channel: record.channel, override, appName });
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
