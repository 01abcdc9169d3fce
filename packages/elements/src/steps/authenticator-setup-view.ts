import { html } from 'lit';
import { renderAuthenticatorSetup } from '../ui/authenticator-setup.ts';
import { normalizeCode } from '../ui/field-checks.ts';
import { renderButton } from '../ui/fields.ts';
import type { StepView } from './step-view.ts';

/** The required setup of an authenticator app. */
export const createAuthenticatorSetupCard: StepView<'setUpAuthenticator'> = (step, context) => ({
  title: context.translation.text('setUp.title'),
  subtitle: context.translation.text('setUp.required'),
  mark: { icon: 'shield' },
  body: html`${context.identity(step.username)}<form data-part="form" novalidate @submit=${(event: Event) =>
    context.answer(event, ['code'], ({ code = '' }) => step.submit(normalizeCode(code)))}>
    ${renderAuthenticatorSetup(context, step)}
    ${renderButton(context, { label: 'setUp.submit', name: 'submit', look: 'primary' })}
  </form>`,
});
