import type { UnmappedTrigger } from '@poolgate/pool';
import type { Container } from '../container.ts';
import { MAP_TRIGGERS, messageEffect } from '../triggers/hints.ts';
import { type Finding, failed, ok, warn } from './finding.ts';

/** Whether every function that the settings of a pool name is mapped. */
export async function checkTriggers({
  backend,
  configuration,
}: Pick<Container, 'backend' | 'configuration'>): Promise<readonly Finding[]> {
  const found = (await backend.embedded?.pool.unmappedTriggers()) ?? [];
  if (found.length === 0) return [ok('Every trigger that a pool names is mapped.')];
  return found.map((trigger) => findingOf(trigger, configuration.mode === 'development'));
}

function findingOf({ userPoolId, arn, triggers }: UnmappedTrigger, sendsDefaultText: boolean): Finding {
  const isMessage = (trigger: string) => trigger === 'CustomMessage';
  const effect = triggers.some(isMessage) ? messageEffect(sendsDefaultText) : 'requests that need it fail';
  const finding = `${triggers.join(', ')} of the pool ${userPoolId} is not mapped (${arn}): ${effect}.`;
  return (sendsDefaultText && triggers.every(isMessage) ? warn : failed)(finding, MAP_TRIGGERS);
}
