import type { PoolAndClient, PoolHint, TriggerInvoker } from '@poolgate/pool';
import type { WriteLine } from '../log-line.ts';

type LambdaConfig = NonNullable<NonNullable<PoolAndClient['pool']['settings']['kept']>['LambdaConfig']>;

const UNMAPPED =
  'The pool names a trigger that POOLGATE_TRIGGER_MAP does not map: it is never called, and what needs it is refused.';

/** Warns of each function that the settings of a pool name and that nothing is called for: once, though a start looks twice. */
export function unmappedTriggers(
  log: WriteLine,
  { targetOf }: TriggerInvoker,
): (config: LambdaConfig | undefined) => void {
  const told = new Set<string>();
  return (config = {}) => {
    for (const [arn, triggers] of triggersByArn(config)) {
      if (told.has(arn) || targetOf(arn) !== undefined) continue;
      told.add(arn);
      log('warn', UNMAPPED, { arn, triggers });
    }
  };
}

/** Senders and federation are no functions that this pool calls, and the key is none at all. */
function triggersByArn({
  PreTokenGenerationConfig,
  CustomSMSSender: _sms,
  CustomEmailSender: _email,
  InboundFederation: _federation,
  KMSKeyID: _key,
  ...plain
}: LambdaConfig): ReadonlyMap<string, readonly string[]> {
  const byArn = new Map<string, string[]>();
  const named = { ...plain, PreTokenGeneration: PreTokenGenerationConfig?.LambdaArn ?? plain.PreTokenGeneration };
  for (const [trigger, arn] of Object.entries(named)) {
    if (arn) byArn.set(arn, [...(byArn.get(arn) ?? []), trigger]);
  }
  return byArn;
}

const HINTS: Readonly<Record<PoolHint, string>> = {
  srp_without_migration:
    'A login by SRP sends no password, so the trigger UserMigration was not asked: who is to come over has to log in by USER_PASSWORD_AUTH (IDP_LOGIN_FLOW=password for the routes).',
};

/** Writes each hint of the pool once. */
export function hintLog(log: WriteLine): (hint: PoolHint) => void {
  const told = new Set<PoolHint>();
  return (hint) => {
    if (told.has(hint)) return;
    told.add(hint);
    log('warn', HINTS[hint], { hint });
  };
}
