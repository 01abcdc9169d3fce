import type { PoolHint, ReportUnmappedTrigger, UnmappedTrigger } from '@poolgate/pool';
import type { WriteLogLine } from '../process/log-line.ts';

/** Advice to the operator about an unmapped trigger. */
export const MAP_TRIGGERS_ADVICE = 'Map the ARN in POOLGATE_TRIGGER_MAP or remove it from LambdaConfig.';

/** The maximum number of remembered pairs of a pool and an ARN. */
const MAX_TOLD = 10_000;

/**
 * Warns about each unmapped function that pool settings name: each time such settings are written, and otherwise once, because a start
 * checks twice and anyone can cause calls.
 */
export function createUnmappedTriggerLog(
  log: WriteLogLine,
  sendsDefaultText: boolean,
): (found: UnmappedTrigger, when: Parameters<ReportUnmappedTrigger>[1] | 'start') => void {
  const told = new Set<string>();
  return ({ userPoolId, arn, triggers }, when) => {
    const key = `${userPoolId} ${arn}`;
    if (when !== 'set' && (told.has(key) || told.size >= MAX_TOLD)) return;
    told.add(key);
    log('warn', `${describeConsequence(triggers, sendsDefaultText)} ${MAP_TRIGGERS_ADVICE}`, {
      arn,
      pool: userPoolId,
      triggers,
    });
  };
}

function describeConsequence(triggers: readonly string[], sendsDefaultText: boolean): string {
  const others = triggers.filter((trigger) => trigger !== 'CustomMessage');
  const effects = [
    ...(others.length > 0 ? ['requests that need it fail'] : []),
    ...(others.length < triggers.length ? [describeMessageEffect(sendsDefaultText)] : []),
  ];
  return `A trigger of a pool is not mapped: ${effects.join(', and ')}.`;
}

/** Describes what happens to messages with an unmapped trigger. */
export function describeMessageEffect(sendsDefaultText: boolean): string {
  return sendsDefaultText
    ? 'messages use the default text; in production they would be held back'
    : 'messages wait until it is mapped and expire as usual';
}

const HINTS: Readonly<Record<PoolHint, string>> = {
  srp_without_migration:
    'The UserMigration trigger was not called because an SRP login sends no password. Users who should be migrated must log in with USER_PASSWORD_AUTH (IDP_LOGIN_FLOW=password for the routes).',
};

/** Logs each hint of the pool once. */
export function createHintLog(log: WriteLogLine): (hint: PoolHint) => void {
  const told = new Set<PoolHint>();
  return (hint) => {
    if (told.has(hint)) return;
    told.add(hint);
    log('warn', HINTS[hint], { hint });
  };
}
