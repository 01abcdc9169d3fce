import type { StepOf } from '@poolgate/client';
import { html, nothing } from 'lit';
import { renderButton, renderField, renderLinkButton } from '../ui/fields.ts';
import type { StepContext, StepView } from './step-view.ts';

/** A passkey. Browsers require a click to ask for it. */
export const createPasskeyCard: StepView<'passkey'> = (step, context) => ({
  title: context.translation.text('passkey.title'),
  subtitle: context.translation.text(step.failure === null ? 'passkey.subtitle' : `passkey.${step.failure}`),
  mark: { icon: 'fingerprint' },
  body: html`${context.identity(step.username)}
    ${renderButton(context, {
      label: step.failure === null ? 'common.continue' : 'common.retry',
      name: 'passkey',
      look: 'primary',
      onClick: () => context.go('passkey', step.use),
    })}`,
  footer: renderLinkButton(context, 'signIn.otherWays', 'other', context.restart),
});

/** An operator's custom challenge, which shows the operator's text. */
export const createCustomCard: StepView<'custom'> = (step, context) => ({
  title: context.translation.text('custom.title'),
  subtitle: formatQuestion(step),
  body: html`${context.identity(step.username)}
    <form data-part="form" novalidate @submit=${(event: Event) =>
      context.answer(event, ['answer'], ({ answer = '' }) => step.submit(answer))}>
      ${renderField(context, { name: 'answer', label: 'custom.label', autocomplete: 'off', ...toDescribedBy(step, context) })}
      ${renderButton(context, { label: 'common.continue', name: 'submit', look: 'primary' })}
    </form>`,
});

/** The account waits for its deletion. Leaving the page changes nothing. */
export const createKeepAccountCard: StepView<'keepAccount'> = (step, context) => ({
  title: context.translation.text('keep.title'),
  subtitle: context.translation.text('keep.subtitle', { date: context.translation.date(step.deletionAt) }),
  mark: { icon: 'alert', look: 'danger' },
  body: html`${context.identity(step.username)}
    ${renderButton(context, { label: 'keep.submit', name: 'keep', look: 'primary', onClick: () => context.go('keep', step.keep) })}
    ${renderButton(context, { label: 'common.notNow', name: 'not-now', onClick: context.restart })}`,
});

/** What the triggers show, without the pool's own parameters. */
const formatQuestion = ({ parameters: { USERNAME, ...shown } }: StepOf<'custom'>): string | undefined =>
  Object.values(shown).join(' · ') || undefined;

const toDescribedBy = (step: StepOf<'custom'>, { id }: StepContext) =>
  formatQuestion(step) === undefined ? {} : { describedBy: id('subtitle') };

/** The user is signed in. */
export const createDoneCard: StepView<'done'> = (_step, { translation, accountUrl }) => ({
  title: translation.text('done.title'),
  mark: { icon: 'check', look: 'success' },
  body: html`<a data-part="button" data-look="primary" data-wide href=${accountUrl}>${translation.text('done.continue')}</a>`,
});

/** The end of a failed login. */
export const createRefusedCard: StepView<'refused'> = (_step, context) => ({
  title: context.translation.text('refused.title'),
  mark: { icon: 'alert', look: 'danger' },
  body: html`${renderButton(context, { label: 'common.startAgain', name: 'restart', look: 'primary', onClick: context.restart })}`,
  footer: nothing,
});
