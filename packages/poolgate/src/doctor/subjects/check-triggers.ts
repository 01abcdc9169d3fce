import type { UnmappedTrigger } from '@poolgate/pool';
import type { Container } from '../../container/container.ts';
import { describeMessageEffect, MAP_TRIGGERS_ADVICE } from '../../triggers/trigger-logs.ts';
import { createFault, createOkFinding, createWarning, type Finding } from '../findings/finding.ts';

/** Whether every function in the settings of a pool is mapped. */
export async function checkTriggers({
  backend,
  configuration,
}: Pick<Container, 'backend' | 'configuration'>): Promise<readonly Finding[]> {
  const found = (await backend.embedded?.pool.unmappedTriggers()) ?? [];
  if (found.length === 0) return [createOkFinding('Every trigger of every pool is mapped.')];
  return found.map((trigger) => toUnmappedTriggerFinding(trigger, configuration.mode === 'development'));
}

function toUnmappedTriggerFinding({ userPoolId, arn, triggers }: UnmappedTrigger, sendsDefaultText: boolean): Finding {
  const isMessage = (trigger: string) => trigger === 'CustomMessage';
  const effect = triggers.some(isMessage) ? describeMessageEffect(sendsDefaultText) : 'requests that need it fail';
  const finding = `${triggers.join(', ')} of the pool ${userPoolId} is not mapped (${arn}): ${effect}.`;
  return (sendsDefaultText && triggers.every(isMessage) ? createWarning : createFault)(finding, MAP_TRIGGERS_ADVICE);
}
