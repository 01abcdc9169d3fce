import { html, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import { renderHiddenUsername } from '../ui/hidden-username.ts';
import type { StepContext, StepView } from './step-view.ts';

/** The password, in a login that started with another choice. */
export const createPasswordCard: StepView<'password'> = (step, context) => ({
  title: context.translation.text('signIn.title'),
  body: html`${context.identity(step.username)}
    <form data-part="form" novalidate @submit=${(event: Event) =>
      context.answer(event, ['password'], ({ password = '' }) => step.submit(password))}>
      ${renderHiddenUsername(step.username)}
      ${renderField(context, { name: 'password', label: 'common.password', autocomplete: 'current-password', kind: 'password' })}
      ${renderButton(context, { label: 'signIn.submit', name: 'submit', look: 'primary' })}
    </form>`,
});

/** A new password instead of a temporary one, and the attributes that the pool requires. */
export const createNewPasswordCard: StepView<'newPassword'> = (step, context) => ({
  title: context.translation.text('newPassword.title'),
  subtitle: context.translation.text('newPassword.subtitle'),
  mark: { icon: 'lock' },
  body: html`${context.identity(step.username)}
    <form data-part="form" novalidate @submit=${(event: Event) =>
      context.answer(event, ['newPassword', ...step.requiredAttributes], ({ newPassword = '', ...typed }) => {
        const given = step.requiredAttributes.map((name) => [name, typed[name] ?? '']);
        return step.submit(newPassword, Object.fromEntries(given) as Record<string, string>);
      })}>
      ${renderHiddenUsername(step.username)}
      ${renderField(context, {
        name: 'newPassword',
        label: 'common.newPassword',
        autocomplete: 'new-password',
        kind: 'password',
        ...context.passwordHint,
      })}
      ${step.requiredAttributes.map((name) => renderAttributeField(context, name, step.attributes[name] ?? ''))}
      ${renderButton(context, { label: 'newPassword.submit', name: 'submit', look: 'primary' })}
    </form>`,
});

/** Attributes with a message and a meaning for browsers. */
const ATTRIBUTES: Readonly<Record<string, { readonly label: MessageId; readonly autocomplete: string }>> = {
  name: { label: 'common.name', autocomplete: 'name' },
  email: { label: 'common.email', autocomplete: 'email' },
  phone_number: { label: 'common.phone', autocomplete: 'tel' },
};

function renderAttributeField(context: StepContext, name: string, value: string): TemplateResult {
  const known = ATTRIBUTES[name];
  return renderField(context, {
    name,
    label: known?.label ?? { literal: name },
    autocomplete: known?.autocomplete ?? 'off',
    value,
  });
}
