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
 * Asks whether somebody may begin to log in; before anything is proven, and for a name that nobody has too.
 * @param findCandidate looks up who it is, where that is not known yet
 * @param validationData what the request that starts the login gives to triggers
 * @throws {ProviderError} no, or nobody could be asked
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
