import type { FirstFactor, LoginStep, SecondFactor } from '@poolgate/client';
import { html } from 'lit';
import { type IconName, renderIcon } from '../ui/icons.ts';
import type { RenderContext } from '../ui/render-context.ts';
import type { StepContext, StepView } from './step-view.ts';

type Factor = FirstFactor | SecondFactor;

const ICONS: Readonly<Record<Factor, IconName>> = {
  PASSWORD: 'lock',
  WEB_AUTHN: 'fingerprint',
  EMAIL_OTP: 'mail',
  SMS_OTP: 'phone',
  SMS_MFA: 'phone',
  SOFTWARE_TOKEN_MFA: 'shield',
};

/** The choice of how to start. */
export const createSelectFactorCard: StepView<'selectFactor'> = (step, context) => ({
  title: context.translation.text('factor.title'),
  body: html`${context.identity(step.username)}${renderFactorChoices(context, step.factors, step.choose)}`,
});

/** The choice of a second factor. */
export const createSelectMfaCard: StepView<'selectMfa'> = (step, context) => ({
  title: context.translation.text('factor.mfaTitle'),
  subtitle: context.translation.text('factor.mfaSubtitle'),
  mark: { icon: 'shield' },
  body: html`${context.identity(step.username)}${renderFactorChoices(context, step.factors, step.choose)}`,
});

/** A button for each factor. */
export function renderFactorChoices<F extends Factor>(
  context: RenderContext & Pick<StepContext, 'go'>,
  factors: readonly F[],
  choose: (factor: F) => Promise<LoginStep>,
) {
  const { form, translation } = context;
  return html`<ul data-part="choices">
    ${factors.map(
      (factor) => html`<li>
        <button
          type="button"
          data-part="choice"
          data-name=${factor}
          aria-disabled=${form.busy ? 'true' : 'false'}
          @click=${() => context.go(factor, () => choose(factor))}
        >
          ${renderIcon(ICONS[factor])}
          <span data-part="choice-name">${translation.text(`factor.${factor}`)}</span>
          <span data-part="choice-hint">${translation.text(`factor.${factor}.hint`)}</span>
        </button>
      </li>`,
    )}
  </ul>`;
}
