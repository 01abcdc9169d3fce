import { ProviderError } from '@poolgate/provider';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { TriggerKind } from './trigger-definitions.ts';

/** A function of a pool, and its row in the table. */
export interface ConfiguredTrigger<Kind extends TriggerKind> {
  readonly kind: Kind;
  readonly arn: string;
}

/** The kinds of triggers whose event has a single version. */
type SingleVersionTriggerKind = Exclude<TriggerKind, `PreTokenGeneration${string}`>;

/** The ARN in a member of `LambdaConfig`, which is either the ARN itself or contains it with the event's version. */
export function readFunctionArn(member: string | { readonly LambdaArn: string } | undefined): string | undefined {
  return typeof member === 'object' ? member.LambdaArn : member;
}

/** The function that a pool calls at one of its points; undefined for none. */
export function findConfiguredTrigger<Kind extends SingleVersionTriggerKind>(
  { kept }: PoolSettings,
  kind: Kind,
): ConfiguredTrigger<Kind> | undefined {
  const arn = readFunctionArn(kept?.LambdaConfig?.[kind]);
  return arn ? { kind, arn } : undefined;
}

/**
 * The same for a login that requires it.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function requireConfiguredTrigger<Kind extends SingleVersionTriggerKind>(
  settings: PoolSettings,
  kind: Kind,
): ConfiguredTrigger<Kind> {
  const trigger = findConfiguredTrigger(settings, kind);
  if (trigger !== undefined) return trigger;
  const message = 'Custom auth lambda trigger is not configured for the user pool.';
  throw new ProviderError('InvalidParameterException', message, { reason: 'flow_disabled' });
}

const TOKEN_KINDS = {
  V1_0: 'PreTokenGeneration',
  V2_0: 'PreTokenGenerationV2',
  V3_0: 'PreTokenGenerationV3',
} as const;

/** The function that a pool calls before it signs tokens. The version defines what it may change. */
export function findTokenTrigger({
  kept,
}: PoolSettings): ConfiguredTrigger<(typeof TOKEN_KINDS)[keyof typeof TOKEN_KINDS]> | undefined {
  const { PreTokenGeneration: plain, PreTokenGenerationConfig: versioned } = kept?.LambdaConfig ?? {};
  if (versioned !== undefined) return { kind: TOKEN_KINDS[versioned.LambdaVersion], arn: versioned.LambdaArn };
  return plain ? { kind: 'PreTokenGeneration', arn: plain } : undefined;
}
