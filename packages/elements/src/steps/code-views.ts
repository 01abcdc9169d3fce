import type { LoginStep } from '@poolgate/client';
import { html, nothing } from 'lit';
import { renderCodeField, renderExpiry, renderResendLine } from '../ui/code-field.ts';
import { normalizeCode } from '../ui/field-checks.ts';
import { renderButton, renderField, renderLinkButton } from '../ui/fields.ts';
import type { StepContext, StepView } from './step-view.ts';

/** A code from an authenticator app. */
export const createTotpCard: StepView<'totp'> = (step, context) => ({
  title: context.translation.text('totp.title'),
  subtitle: context.translation.text('totp.subtitle'),
  mark: { icon: 'shield' },
  body: html`${context.identity(step.username)}${renderCodeForm(context, step.submit, SECOND_FACTOR_DIGITS)}`,
  footer: renderOtherWays(context, step.useRecoveryCode),
});

/** A sent code. */
export const createSentCodeCard: StepView<'sentCode'> = (step, context) => {
  const { translation } = context;
  const { destination, resend, resendAtMs } = step;
  return {
    title: translation.text(step.channel === 'email' ? 'sentCode.emailTitle' : 'sentCode.smsTitle'),
    subtitle:
      destination === null
        ? translation.text('sentCode.subtitleNowhere')
        : translation.text('sentCode.subtitle', { destination }),
    mark: { icon: step.channel === 'email' ? 'mail' : 'phone' },
    body: html`${context.identity(step.username)}${renderCodeForm(context, step.submit, step.isSecondFactor ? SECOND_FACTOR_DIGITS : FIRST_FACTOR_DIGITS)}
    ${renderExpiry(context, step.expiresAtMs)}
    ${
      resend === null
        ? nothing
        : renderResendLine(context, {
            atMs: resendAtMs,
            codesLeft: step.codesLeft,
            resend: () => context.go('resend', resend),
          })
    }`,
    footer: renderOtherWays(context, step.useRecoveryCode),
  };
};

/** A recovery code instead of another code. */
export const createRecoveryCodeCard: StepView<'recoveryCode'> = (step, context) => ({
  title: context.translation.text('recovery.title'),
  subtitle: context.translation.text('recovery.subtitle'),
  mark: { icon: 'key' },
  body: html`${context.identity(step.username)}
    <form data-part="form" novalidate @submit=${(event: Event) =>
      context.answer(event, ['code'], ({ code = '' }) => step.submit(code))}>
      ${renderField(context, { name: 'code', label: 'recovery.label', autocomplete: 'off', kind: 'recovery' })}
      ${renderButton(context, { label: 'common.continue', name: 'submit', look: 'primary' })}
    </form>`,
  footer: renderLinkButton(context, 'recovery.back', 'back', () => context.go('back', step.back)),
});

/** A code that alone proves the user is longer. */
const FIRST_FACTOR_DIGITS = 8;
const SECOND_FACTOR_DIGITS = 6;

function renderCodeForm(context: StepContext, submit: (code: string) => Promise<LoginStep>, digits: number) {
  return html`<form data-part="form" novalidate @submit=${(event: Event) =>
    context.answer(event, ['code'], ({ code = '' }) => submit(normalizeCode(code)))}>
    ${renderCodeField(context, digits)}${renderButton(context, { label: 'common.continue', name: 'submit', look: 'primary' })}
  </form>`;
}

function renderOtherWays(context: StepContext, recovery: Parameters<StepContext['go']>[1] | null) {
  const { otherWays } = context;
  return html`${
    recovery === null
      ? nothing
      : renderLinkButton(context, 'totp.recovery', 'recovery', () => context.go('recovery', recovery))
  }${otherWays === undefined ? nothing : renderLinkButton(context, 'signIn.otherWays', 'other', otherWays)}`;
}
