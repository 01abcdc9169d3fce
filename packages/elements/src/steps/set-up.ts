import { html } from 'lit';
import { authenticatorSetUp } from '../ui/authenticator.ts';
import { plainCode } from '../ui/checks.ts';
import { button } from '../ui/fields.ts';
import type { StepView } from './view.ts';

/** An authenticator app that the account asks for. */
export const setUpAuthenticatorView: StepView<'setUpAuthenticator'> = (step, context) => ({
  title: context.translation.text('setUp.title'),
  subtitle: context.translation.text('setUp.required'),
  mark: { icon: 'shield' },
  body: html`${context.identity(step.username)}<form data-part="form" novalidate @submit=${(event: Event) =>
    context.answer(event, ['code'], ({ code = '' }) => step.submit(plainCode(code)))}>
    ${authenticatorSetUp(context, step)}
    ${button(context, { label: 'setUp.submit', name: 'submit', look: 'primary' })}
  </form>`,
});
