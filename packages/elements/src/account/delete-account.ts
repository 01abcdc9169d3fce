import { PoolgateError } from '@poolgate/client';
import { html } from 'lit';
import { renderField } from '../ui/fields.ts';
import type { FieldCheck } from '../ui/form-controller.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderFormButtons, renderSmallButton } from './list-items.ts';

/** Deletes the account, after a grace period if the service has one. The user must type a word first. */
export class PoolgateDeleteAccount extends PoolgateSection<{ readonly hasGracePeriod: boolean }> {
  protected readonly heading = { title: 'delete.title', subtitle: 'delete.subtitle' } as const;

  /** Whether this user's account has no grace period, although those of others have one. */
  private isImmediate = false;

  protected async load(): Promise<{ readonly hasGracePeriod: boolean }> {
    const offered = await this.service.parameters().catch(() => undefined);
    const isOffered = offered?.capabilities.includes('schedule_deletion') === true;
    return { hasGracePeriod: isOffered && !this.isImmediate };
  }

  protected show({ hasGracePeriod }: { readonly hasGracePeriod: boolean }): SectionContent {
    const { context } = this;
    const { translation } = context;
    const heading = hasGracePeriod ? ({ ...this.heading, subtitle: 'delete.graceSubtitle' } as const) : this.heading;
    const word = translation.text('delete.word');
    if (this.open === '')
      return {
        ...heading,
        body: html`<div data-part="actions">
          ${renderSmallButton(context, { label: 'delete.start', name: 'delete', look: 'danger', onClick: () => this.openForm('delete') })}
        </div>`,
      };
    return {
      ...heading,
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.confirm(event, word, hasGracePeriod)}>
        <p>${translation.text(hasGracePeriod ? 'delete.graceQuestion' : 'delete.question')}</p>
        ${renderField(context, {
          name: 'word',
          label: 'common.confirm',
          autocomplete: 'off',
          hint: html`${translation.text('delete.type', { word })}`,
        })}
        ${renderFormButtons(context, {
          submit: hasGracePeriod ? 'delete.graceSubmit' : 'delete.submit',
          look: 'danger',
          cancel: () => this.openForm(''),
        })}
      </form>`,
    };
  }

  private confirm(event: Event, word: string, hasGracePeriod: boolean): void {
    const isWord: FieldCheck = (typed) =>
      typed.trim() === word ? undefined : { id: 'field.delete', values: { word } };
    void this.form.submit(event, { word: isWord }, () =>
      this.applyChange('submit', async () => {
        const deletion = hasGracePeriod ? await this.scheduleDeletion() : await this.deleteNow();
        if (deletion !== undefined) this.emit('poolgate-deleted', deletion);
      }),
    );
  }

  /** Undefined if the account can only be deleted immediately. Then another form asks for that. */
  private async scheduleDeletion(): Promise<{ readonly deletionAt: string } | undefined> {
    try {
      return await this.service.profile.scheduleDeletion();
    } catch (error) {
      if (!(error instanceof PoolgateError && error.code === 'feature_disabled')) throw error;
      this.isImmediate = true;
      this.openForm('delete-now');
      return undefined;
    }
  }

  private async deleteNow(): Promise<Readonly<Record<string, never>>> {
    await this.service.profile.deleteAccount();
    return {};
  }
}
