import type { Passkey } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { renderButton } from '../ui/fields.ts';
import type { SectionContent } from './account-section.ts';
import { renderListItem, renderSmallButton } from './list-items.ts';
import { PoolgateListSection } from './list-section.ts';

/** The passkeys of the account: add, list, rename, delete. */
export class PoolgatePasskeys extends PoolgateListSection<readonly Passkey[]> {
  protected readonly heading = { title: 'passkeys.title', subtitle: 'passkeys.subtitle' } as const;

  protected load(): Promise<readonly Passkey[]> {
    return this.service.passkeys.list();
  }

  protected show(passkeys: readonly Passkey[]): SectionContent {
    const { context } = this;
    return {
      ...this.heading,
      body: html`${
        passkeys.length === 0
          ? this.text('passkeys.none')
          : html`<ul data-part="list">${passkeys.map((passkey) => this.line(passkey))}</ul>`
      }
        <div data-part="actions">
          ${renderButton(context, {
            label: 'passkeys.add',
            name: 'add',
            icon: 'fingerprint',
            isWide: false,
            onClick: () => void this.change('add', () => this.add()),
          })}
        </div>`,
    };
  }

  private line(passkey: Passkey): TemplateResult {
    const { context } = this;
    const { credential_id: id, created_at: createdAt } = passkey;
    const name = passkey.name ?? context.translation.text('passkeys.unnamed');
    const nameId = context.id(`name-${id}`);
    const buttons = html`${renderSmallButton(context, {
      label: 'devices.rename',
      name: 'rename',
      describedBy: nameId,
      onClick: () => this.openForm(`rename ${id}`),
    })}
    ${renderSmallButton(context, {
      label: 'common.remove',
      name: 'remove',
      look: 'danger',
      describedBy: nameId,
      onClick: () => this.openForm(`remove ${id}`),
    })}`;
    return renderListItem({
      id: nameId,
      name,
      detail:
        createdAt === null
          ? undefined
          : context.translation.text('passkeys.created', { date: context.translation.date(createdAt) }),
      actions: this.isChanging(id) ? nothing : buttons,
      form: this.itemForm(id, name),
    });
  }

  private itemForm(id: string, name: string): TemplateResult | typeof nothing {
    const { passkeys } = this.service;
    return this.lineForm({
      id,
      name,
      rename: { label: 'passkeys.name', act: (to) => passkeys.rename(id, to) },
      remove: {
        question: 'passkeys.removeQuestion',
        label: 'common.remove',
        done: 'passkeys.removed',
        act: () => passkeys.remove(id),
      },
    });
  }

  private async add(): Promise<void> {
    const made = await this.service.passkeys.create();
    this.form.notify({ id: made.kind === 'created' ? 'passkeys.added' : `passkey.${made.kind}` });
  }
}
