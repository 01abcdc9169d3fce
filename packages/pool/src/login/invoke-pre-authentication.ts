import { ProviderError } from '@poolgate/provider';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { TriggerData } from '../triggers/trigger-definitions.ts';
import type { LoginStep } from './challenges/challenge.ts';
import { recordFailedLogin } from './record-decision.ts';

type Scope = Pick<LoginStep, 'client' | 'ports' | 'pool'>;

/**
 * Asks the trigger whether a user may start a login, before anything is proven and also for unknown names.
 * @param findCandidate looks up the user, if not yet known
 * @param validationData the data for triggers from the request that starts the login
 * @throws {ProviderError} the trigger refuses, or cannot be called
 */
export async function invokePreAuthentication(
  step: Scope,
  findCandidate: () => LoginCandidate | Promise<LoginCandidate>,
  validationData: TriggerData | undefined,
): Promise<void> {
  const { ports, pool, client } = step;
  const trigger = findConfiguredTrigger(pool.settings, 'PreAuthentication');
  if (trigger === undefined) return;
  const candidate = await findCandidate();
  const user = candidate.found?.user;
  try {
    await invokeTrigger(ports, trigger, {
      pool,
      clientId: client.id,
      source: 'PreAuthentication_Authentication',
      userName: candidate.userId,
      request: {
        userAttributes: user === undefined ? {} : toTriggerAttributes(user),
        validationData: validationData ?? {},
        userNotFound: user === undefined ? true : undefined,
      },
    });
  } catch (cause) {
    if (cause instanceof ProviderError) await recordFailedLogin(ports, step, 'PRE_AUTHENTICATION', cause);
    throw cause;
  }
}
