import { html } from 'lit';
import { field } from '../ui/fields.ts';
import type { Check } from '../ui/form.ts';
import { formButtons, smallButton } from './items.ts';
import { PoolgateSection, type SectionContent } from './section.ts';

/** Ends the account. A word must be typed, since nothing brings it back. */
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
          ${smallButton(context, { label: 'delete.start', name: 'delete', look: 'danger', onClick: () => this.openForm('delete') })}
        </div>`,
      };
    return {
      ...this.heading,
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.confirm(event, word)}>
        <p>${translation.text('delete.question')}</p>
        ${field(context, {
          name: 'word',
          label: 'common.confirm',
          autocomplete: 'off',
          hint: html`${translation.text('delete.type', { word })}`,
        })}
        ${formButtons(context, { submit: 'delete.submit', look: 'danger', cancel: () => this.openForm('') })}
      </form>`,
    };
  }

  private confirm(event: Event, word: string): void {
    const isWord: Check = (typed) => (typed.trim() === word ? undefined : { id: 'field.delete', values: { word } });
    void this.form.submit(event, { word: isWord }, () =>
      this.carryOut('submit', async () => {
        await this.service.profile.deleteAccount();
        this.tell('poolgate-deleted', {});
      }),
    );
  }
}
