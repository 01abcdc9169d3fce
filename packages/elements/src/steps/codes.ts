import type { LoginStep } from '@poolgate/client';
import { html, nothing } from 'lit';
import { plainCode } from '../ui/checks.ts';
import { codeField, resendLine } from '../ui/code.ts';
import { button, field, linkButton } from '../ui/fields.ts';
import type { StepContext, StepView } from './view.ts';

/** The code of an authenticator app. */
export const totpView: StepView<'totp'> = (step, context) => ({
  title: context.translation.text('totp.title'),
  subtitle: context.translation.text('totp.subtitle'),
  mark: { icon: 'shield' },
  body: html`${context.identity(step.username)}${codeForm(context, step.submit)}`,
  footer: recoveryLink(context, step.useRecoveryCode),
});

/** A code that was sent. */
export const sentCodeView: StepView<'sentCode'> = (step, context) => {
  const { translation } = context;
  const { destination, resend, resendAtMs } = step;
  return {
    title: translation.text(step.channel === 'email' ? 'sentCode.emailTitle' : 'sentCode.smsTitle'),
    subtitle:
      destination === null
        ? translation.text('sentCode.subtitleNowhere')
        : translation.text('sentCode.subtitle', { destination }),
    mark: { icon: step.channel === 'email' ? 'mail' : 'phone' },
    body: html`${context.identity(step.username)}${codeForm(context, step.submit)}
    ${resend === null ? nothing : resendLine(context, { atMs: resendAtMs, resend: () => context.go('resend', resend) })}`,
    footer: recoveryLink(context, step.useRecoveryCode),
  };
};

/** A recovery code in place of a code. */
export const recoveryCodeView: StepView<'recoveryCode'> = (step, context) => ({
  title: context.translation.text('recovery.title'),
  subtitle: context.translation.text('recovery.subtitle'),
  mark: { icon: 'key' },
  body: html`${context.identity(step.username)}
    <form data-part="form" novalidate @submit=${(event: Event) =>
      context.answer(event, ['code'], ({ code = '' }) => step.submit(code))}>
      ${field(context, { name: 'code', label: 'recovery.label', autocomplete: 'off', kind: 'recovery' })}
      ${button(context, { label: 'common.continue', name: 'submit', look: 'primary' })}
    </form>`,
  footer: linkButton(context, 'recovery.back', 'back', () => context.go('back', step.back)),
});

function codeForm(context: StepContext, submit: (code: string) => Promise<LoginStep>) {
  return html`<form data-part="form" novalidate @submit=${(event: Event) =>
    context.answer(event, ['code'], ({ code = '' }) => submit(plainCode(code)))}>
    ${codeField(context)}${button(context, { label: 'common.continue', name: 'submit', look: 'primary' })}
  </form>`;
}

function recoveryLink(context: StepContext, next: Parameters<StepContext['go']>[1] | null) {
  return next === null ? nothing : linkButton(context, 'totp.recovery', 'recovery', () => context.go('recovery', next));
}
