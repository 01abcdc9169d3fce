import type { TemplateResult } from 'lit';
import type { Translation } from '../translations/catalogue.ts';
import { renderBadge } from '../ui/table.ts';

/** The values of the status filter. */
export const USER_STATUSES = [
  'CONFIRMED',
  'UNCONFIRMED',
  'FORCE_CHANGE_PASSWORD',
  'RESET_REQUIRED',
  'enabled',
  'disabled',
] as const;

/** Renders the status of a user. */
export function renderStatus({ text, has }: Translation, status: string | undefined): TemplateResult | string {
  if (status === undefined) return '';
  const id = `status.${status}`;
  return renderBadge(has(id) ? text(id) : status, status === 'CONFIRMED' ? 'good' : 'plain');
}

/** Renders whether a user can sign in. */
export function renderEnabled({ text }: Translation, isEnabled: boolean | undefined): TemplateResult | string {
  if (isEnabled === undefined) return '';
  return isEnabled ? renderBadge(text('status.enabled'), 'good') : renderBadge(text('status.disabled'), 'bad');
}
