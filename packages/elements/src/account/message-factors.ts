import type { Factors, User } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { renderBadge, renderListItem, renderSmallButton } from './list-items.ts';

/** A second factor whose codes are sent to a contact of the user. */
export type MessageFactor = 'SMS_MFA' | 'EMAIL_OTP';

interface MessageFactorRow {
  readonly title: MessageId;
  readonly contact: 'phone_number' | 'email';
  /** What is missing without a confirmed contact. */
  readonly missing: MessageId;
}

const ROWS: Readonly<Record<MessageFactor, MessageFactorRow>> = {
  SMS_MFA: { title: 'mfa.sms', contact: 'phone_number', missing: 'mfa.smsMissing' },
  EMAIL_OTP: { title: 'mfa.email', contact: 'email', missing: 'mfa.emailMissing' },
};

/** Returns the factors that the service sends as messages, in its order. */
export const findMessageFactors = (types: readonly string[]): readonly MessageFactor[] =>
  types.filter((type): type is MessageFactor => Object.hasOwn(ROWS, type));

/** What the list shows and does. */
export interface MessageFactorsOptions {
  readonly offered: readonly MessageFactor[];
  readonly factors: Factors;
  readonly user: User;
  readonly toggle: (factor: MessageFactor, isOn: boolean) => void;
  readonly prefer: (factor: MessageFactor) => void;
}

/** The second factors by message, each with a switch. */
export function renderMessageFactors(context: RenderContext, options: MessageFactorsOptions): TemplateResult {
  return html`<ul data-part="list">${options.offered.map((factor) => renderFactor(context, factor, options))}</ul>`;
}

function renderFactor(
  context: RenderContext,
  factor: MessageFactor,
  { factors, user, toggle, prefer }: MessageFactorsOptions,
): TemplateResult {
  const { title, contact, missing } = ROWS[factor];
  const { methods, preferred } = factors.mfa;
  const { translation } = context;
  const isOn = methods.includes(factor);
  const isProven = user.attributes[`${contact}_verified`] === 'true';
  const id = context.id(`factor-${factor}`);
  const switchButton = renderSmallButton(context, {
    label: isOn ? 'mfa.disable' : 'mfa.enable',
    name: `${isOn ? 'disable' : 'enable'}-${factor}`,
    describedBy: id,
    onClick: () => toggle(factor, !isOn),
  });
  const preferButton = renderSmallButton(context, {
    label: 'mfa.prefer',
    name: `prefer-${factor}`,
    describedBy: id,
    onClick: () => prefer(factor),
  });
  return renderListItem({
    id,
    name: translation.text(title),
    badges: html`${renderBadge(context, isOn ? 'mfa.on' : 'mfa.off', isOn ? 'success' : undefined)}${
      isOn && preferred === factor && methods.length > 1 ? renderBadge(context, 'mfa.preferred', 'accent') : nothing
    }`,
    detail: isProven ? user.attributes[contact] : translation.text(missing),
    actions:
      isOn || isProven
        ? html`${isOn && methods.length > 1 && preferred !== factor ? preferButton : nothing}${switchButton}`
        : nothing,
  });
}
