import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { TriggerData, TriggerSource } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';

/** The confirmed user, and how the confirmation happened. */
export interface ConfirmedUser {
  readonly pool: PoolRecord;
  /** Undefined if an administrator confirmed the user. */
  readonly clientId: string | undefined;
  readonly user: UserRecord;
  readonly source: TriggerSource<'PostConfirmation'>;
  readonly clientMetadata: TriggerData | undefined;
}

/**
 * Calls the trigger for a confirmed user. Call it after the write: as in Cognito, its errors undo nothing.
 * @throws {ProviderError} the trigger failed, or could not be called
 */
export async function invokePostConfirmation(ports: TriggerPorts, confirmed: ConfirmedUser): Promise<void> {
  const { pool, clientId, user, source, clientMetadata } = confirmed;
  const trigger = findConfiguredTrigger(pool.settings, 'PostConfirmation');
  if (trigger === undefined) return;
  const request = { userAttributes: toTriggerAttributes(user), clientMetadata };
  await invokeTrigger(ports, trigger, { pool, clientId, source, userName: user.username, request });
}
