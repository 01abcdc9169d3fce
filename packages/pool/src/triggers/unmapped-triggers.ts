import type { PoolRecord } from '../store/records.ts';
import { readFunctionArn } from './configured-triggers.ts';
import { TRIGGER_DEFINITIONS } from './trigger-definitions.ts';
import type { TriggerInvoker } from './trigger-invoker.ts';

/** A function in a pool's settings that has no target, so the service never calls it. */
export interface UnmappedTrigger {
  readonly userPoolId: string;
  readonly arn: string;
  /** By their names in `LambdaConfig`. */
  readonly triggers: readonly string[];
}

/** Called for an unmapped trigger when a pool's settings that name it are written, or when a call would have needed it. */
export type ReportUnmappedTrigger = (found: UnmappedTrigger, when: 'set' | 'called') => void;

type LambdaConfig = NonNullable<NonNullable<PoolRecord['settings']['kept']>['LambdaConfig']>;

/** Lists the functions of a pool that have no target. */
export function findUnmappedTriggers(
  { id, settings }: Pick<PoolRecord, 'id' | 'settings'>,
  invoker: TriggerInvoker | undefined,
): readonly UnmappedTrigger[] {
  return [...groupTriggersByArn(settings.kept?.LambdaConfig ?? {})]
    .filter(([arn]) => invoker?.targetOf(arn) === undefined)
    .map(([arn, triggers]) => ({ userPoolId: id, arn, triggers }));
}

/** Reports the unmapped triggers of a pool whose settings were written. */
export function reportUnmappedTriggers(
  {
    triggers,
    onUnmappedTrigger,
  }: {
    readonly triggers?: TriggerInvoker | undefined;
    readonly onUnmappedTrigger?: ReportUnmappedTrigger | undefined;
  },
  pool: Pick<PoolRecord, 'id' | 'settings'>,
): void {
  if (onUnmappedTrigger === undefined) return;
  for (const found of findUnmappedTriggers(pool, triggers)) onUnmappedTrigger(found, 'set');
}

const TRIGGER_NAMES = [...new Set(Object.values(TRIGGER_DEFINITIONS).map(({ name }) => name))];

/** Senders and federation are not functions that this pool calls. */
function groupTriggersByArn(config: LambdaConfig): ReadonlyMap<string, readonly string[]> {
  const byArn = new Map<string, string[]>();
  const named = { ...config, PreTokenGeneration: config.PreTokenGenerationConfig ?? config.PreTokenGeneration };
  for (const trigger of TRIGGER_NAMES) {
    const arn = readFunctionArn(named[trigger]);
    if (arn) byArn.set(arn, [...(byArn.get(arn) ?? []), trigger]);
  }
  return byArn;
}
