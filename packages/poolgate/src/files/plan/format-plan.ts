import { UnknownValue } from '../resources/members.ts';
import type { ValueChange } from './compare.ts';
import type { PlannedAction, PlannedRemoval, PlannedResource, StackPlan } from './plan.ts';
import { isReplacedId } from './replaced-resources.ts';

/** Colors a text, or leaves it unchanged. */
export type Paint = (color: 'green' | 'yellow' | 'red' | 'dim', text: string) => string;

const CODES = { green: 32, yellow: 33, red: 31, dim: 2 } as const;

/** Colors for a terminal. */
export const ANSI_PAINT: Paint = (color, text) => `\x1b[${CODES[color]}m${text}\x1b[0m`;

/** No colors. */
export const PLAIN_PAINT: Paint = (_color, text) => text;

const SIGNS = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  replace: ['±', 'red'],
  none: [' ', 'dim'],
} as const satisfies Record<PlannedAction, readonly [string, Parameters<Paint>[0]]>;

function formatValue(value: unknown): string {
  if (value instanceof UnknownValue) return '(known after apply)';
  return JSON.stringify(value);
}

function formatChange({ path, before, after, isSecret }: ValueChange, isCreated: boolean, paint: Paint): string {
  if (isSecret) return `      ${paint('yellow', '~')} ${path}: (secret)`;
  if (before === undefined) return `      ${paint('green', '+')} ${path}: ${formatValue(after)}`;
  if (after === undefined && !isCreated)
    return `      ${paint('red', '-')} ${path}: ${formatValue(before)} → (default)`;
  return `      ${paint('yellow', '~')} ${path}: ${formatValue(before)} → ${formatValue(after)}`;
}

function formatResource(
  { declaration, action, reason, changes, ids }: PlannedResource,
  paint: Paint,
): readonly string[] {
  if (action === 'none') return [];
  const [sign, color] = SIGNS[action];
  const id = ids === undefined || action === 'create' ? '' : ` ${paint('dim', ids.physicalId)}`;
  const why = reason === undefined ? '' : `, because ${reason}`;
  const title = `  ${paint(color, sign)} ${declaration.logicalId} (${declaration.type.name})${id}${why}`;
  return [title, ...changes.map((change) => formatChange(change, action === 'create', paint))];
}

function formatRemoval({ record, action, reason = '' }: PlannedRemoval, paint: Paint): string {
  const { type, physicalId } = record;
  const name = isReplacedId(record.logicalId) ? physicalId : record.logicalId;
  return action === 'remove'
    ? `  ${paint('red', '-')} ${name} (${type}) ${paint('dim', physicalId)}`
    : `  ${paint('dim', '=')} ${name} (${type}) is no longer in the file and stays: ${reason}`;
}

function formatSummary({ resources, removals }: StackPlan): string {
  const count = (action: PlannedAction) => resources.filter((resource) => resource.action === action).length;
  const removed = removals.filter(({ action }) => action === 'remove').length;
  const parts = [
    `${count('create')} to create`,
    `${count('update')} to change`,
    `${count('replace')} to replace`,
    `${removed} to remove`,
    `${count('none')} unchanged`,
  ];
  return parts.join(', ');
}

/** Formats a plan for people. */
export function formatPlan(plan: StackPlan, paint: Paint): readonly string[] {
  const { stack, resources, removals, skipped } = plan;
  const foreign = skipped.filter(({ reason }) => reason === 'foreign');
  const unsupported = skipped.filter(({ reason }) => reason === 'unsupported');
  const list = (items: typeof skipped) => items.map(({ logicalId, type }) => `${logicalId} (${type})`).join(', ');
  return [
    `${stack.name} (${stack.file}): ${formatSummary(plan)}`,
    ...resources.flatMap((resource) => formatResource(resource, paint)),
    ...removals.map((removal) => formatRemoval(removal, paint)),
    ...(foreign.length > 0 ? [paint('dim', `  skipped, of other services: ${list(foreign)}`)] : []),
    ...(unsupported.length > 0
      ? [paint('yellow', `  skipped, not supported by this service: ${list(unsupported)}`)]
      : []),
  ];
}

/** Formats the manual changes since the last apply for people. */
export function formatDrift({ stack, resources }: StackPlan, paint: Paint): readonly string[] {
  const drifted = resources.filter(({ drift }) => drift.length > 0);
  const missing = resources.filter(({ action, record }) => action === 'create' && record?.state === 'applied');
  if (drifted.length + missing.length === 0) return [`${stack.name} (${stack.file}): no drift`];
  return [
    `${stack.name} (${stack.file}): ${drifted.length + missing.length} changed by hand`,
    ...missing.map(
      ({ declaration: { logicalId, type } }) => `  ${paint('red', '-')} ${logicalId} (${type.name}) was removed`,
    ),
    ...drifted.flatMap(({ declaration: { logicalId, type }, drift }) => [
      `  ${paint('yellow', '~')} ${logicalId} (${type.name})`,
      ...drift.map((change) => formatDriftChange(change, paint)),
    ]),
  ];
}

function formatDriftChange({ path, before, after }: ValueChange, paint: Paint): string {
  const show = (value: unknown) => (value === undefined ? '(none)' : formatValue(value));
  return `      ${paint('yellow', '~')} ${path}: ${show(before)} → ${show(after)}`;
}

/** Formats a plan for programs. */
export function toPlanJson({ stack, resources, removals, skipped }: StackPlan): object {
  const toChange = ({ path, before, after, isSecret }: ValueChange) => ({
    path,
    ...(isSecret ? { secret: true } : { before: before ?? null, after: after ?? null }),
  });
  return {
    stack: stack.name,
    file: stack.file,
    resources: resources.map(({ declaration, action, reason, ids, changes, drift }) => ({
      logical_id: declaration.logicalId,
      type: declaration.type.name,
      line: declaration.place.line,
      action,
      ...(reason !== undefined && { reason }),
      pool_id: ids?.poolId ?? null,
      physical_id: ids?.physicalId ?? null,
      changes: action === 'none' ? [] : changes.map(toChange),
      drift: drift.map(toChange),
    })),
    removals: removals.map(({ record, action, reason }) => ({
      logical_id: record.logicalId,
      type: record.type,
      physical_id: record.physicalId,
      action,
      ...(reason !== undefined && { reason }),
    })),
    skipped: skipped.map(({ logicalId, type, reason }) => ({ logical_id: logicalId, type, reason })),
  };
}
