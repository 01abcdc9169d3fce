import type { UnsupportedSetting } from '@poolgate/pool';
import type { Container } from '../../container/container.ts';
import { createFault, createWarning, type Finding } from '../findings/finding.ts';

/** Which stored pool settings have no effect. */
export async function checkUnsupportedSettings({
  backend,
  configuration: { mode },
}: Pick<Container, 'backend' | 'configuration'>): Promise<readonly Finding[]> {
  const found = (await backend.embedded?.pool.unsupportedSettings()) ?? [];
  return found.map((setting) => toUnsupportedSettingFinding(setting, mode));
}

/** Settings that a separate operation sets. */
const REMOVED_BY: ReadonlyMap<string, string> = new Map([
  ['LogDeliveryConfiguration', 'SetLogDeliveryConfiguration and an empty list'],
  ['RiskConfiguration', 'SetRiskConfiguration without a configuration, for the pool and each app client'],
]);

function toUnsupportedSettingFinding(
  { userPoolId, setting, promisesSecurity }: UnsupportedSetting,
  mode: Container['configuration']['mode'],
): Finding {
  const create = promisesSecurity && mode === 'production' ? createFault : createWarning;
  const protection = promisesSecurity ? ', so it protects no user' : '';
  return create(
    `The service does not support ${setting} of the pool ${userPoolId}. It is stored but has no effect${protection}.`,
    `Remove it from the pool with ${REMOVED_BY.get(setting) ?? 'UpdateUserPool'}.`,
  );
}
