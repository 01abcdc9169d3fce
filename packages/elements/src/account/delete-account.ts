import { html } from 'lit';
import { renderField } from '../ui/fields.ts';
import type { FieldCheck } from '../ui/form-controller.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderFormButtons, renderSmallButton } from './list-items.ts';

/** Deletes the account. The user must type a word first, because this cannot be undone. */
export class PoolgateDeleteAccount extends PoolgateSection<true> {
  protected readonly heading = { title: 'delete.title', subtitle: 'delete.subtitle' } as const;

  protected async load(): Promise<true> {
    return true;
  }

  protected show(): SectionContent {
    const { context } = this;
    const { translation } = context;
    const word = translation.text('delete.word');
    if (this.open === '')
      return {
        ...this.heading,
        body: html`<div data-part="actions">
          ${renderSmallButton(context, { label: 'delete.start', name: 'delete', look: 'danger', onClick: () => this.openForm('delete') })}
        </div>`,
      };
    return {
      ...this.heading,
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.confirm(event, word)}>
        <p>${translation.text('delete.question')}</p>
        ${renderField(context, {
          name: 'word',
          label: 'common.confirm',
          autocomplete: 'off',
          hint: html`${translation.text('delete.type', { word })}`,
        })}
        ${renderFormButtons(context, { submit: 'delete.submit', look: 'danger', cancel: () => this.openForm('') })}
      </form>`,
    };
  }

  private confirm(event: Event, word: string): void {
    const isWord: FieldCheck = (typed) =>
      typed.trim() === word ? undefined : { id: 'field.delete', values: { word } };
    void this.form.submit(event, { word: isWord }, () =>
      this.applyChange('submit', async () => {
        await this.service.profile.deleteAccount();
        this.emit('poolgate-deleted', {});
      }),
    );
  }
}
