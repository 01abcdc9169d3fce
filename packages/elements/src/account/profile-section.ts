import type { Contact, User } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { renderCodeField } from '../ui/code-field.ts';
import { checkEmail, checkRequired, normalizeCode } from '../ui/field-checks.ts';
import { renderField } from '../ui/fields.ts';
import type { FieldCheck } from '../ui/form-controller.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderBadge, renderFormButtons, renderListItem, renderSmallButton } from './list-items.ts';

/** A profile attribute. */
interface ProfileLine {
  readonly attribute: 'name' | Contact;
  readonly label: MessageId;
  readonly none: MessageId;
  readonly autocomplete: string;
  readonly type: 'text' | 'email' | 'tel';
  readonly check: FieldCheck;
  readonly done?: MessageId;
  readonly hint?: MessageId;
}

const acceptAnything: FieldCheck = () => undefined;

const LINES: readonly ProfileLine[] = [
  {
    attribute: 'name',
    label: 'common.name',
    none: 'profile.noName',
    autocomplete: 'name',
    type: 'text',
    check: acceptAnything,
  },
  {
    attribute: 'email',
    label: 'common.email',
    none: 'profile.noName',
    autocomplete: 'email',
    type: 'email',
    check: checkEmail,
    done: 'profile.emailChanged',
  },
  {
    attribute: 'phone_number',
    label: 'common.phone',
    none: 'profile.noPhone',
    autocomplete: 'tel',
    type: 'tel',
    check: checkRequired,
    done: 'profile.phoneChanged',
    hint: 'profile.phoneHint',
  },
];

/** Name, email address and phone number. A new address takes effect once its code is entered. */
export class PoolgateProfile extends PoolgateSection<User> {
  protected readonly heading = { title: 'profile.title', subtitle: 'profile.subtitle' } as const;
  /** The destination of a contact's last code. */
  private destination = '';

  protected load(): Promise<User> {
    return this.service.profile.show();
  }

  protected show(user: User): SectionContent {
    return { ...this.heading, body: html`<ul data-part="list">${LINES.map((line) => this.line(line, user))}</ul>` };
  }

  private line(line: ProfileLine, user: User): TemplateResult {
    const { attribute, label, none } = line;
    const { context } = this;
    const value = user.attributes[attribute] ?? '';
    const id = context.id(`${attribute}-name`);
    const isProven = user.attributes[`${attribute}_verified`] === 'true';
    const isContact = attribute !== 'name' && value !== '';
    const edit = renderSmallButton(context, {
      label: 'common.edit',
      name: `edit-${attribute}`,
      describedBy: id,
      onClick: () => this.openForm(attribute),
    });
    const prove = renderSmallButton(context, {
      label: 'profile.verify',
      name: `verify-${attribute}`,
      describedBy: id,
      onClick: () => this.askForCode(attribute),
    });
    return renderListItem({
      id,
      name: context.translation.text(label),
      badges: isContact
        ? renderBadge(context, isProven ? 'profile.verified' : 'profile.unverified', isProven ? 'success' : undefined)
        : nothing,
      detail: value === '' ? context.translation.text(none) : value,
      actions: this.open.endsWith(attribute) ? nothing : html`${isContact && !isProven ? prove : nothing}${edit}`,
      form:
        this.open === attribute
          ? this.editForm(line, value)
          : this.open === `code-${attribute}`
            ? this.codeForm(line)
            : nothing,
    });
  }

  private editForm({ attribute, label, autocomplete, type, check, hint }: ProfileLine, value: string): TemplateResult {
    const { context } = this;
    const save = (event: Event): void =>
      void this.form.submit(event, { [attribute]: check }, (values) => this.save(attribute, values[attribute] ?? ''));
    return html`<form data-part="form" novalidate @submit=${save}>
      ${renderField(context, {
        name: attribute,
        label,
        autocomplete,
        type,
        value,
        isOptional: attribute === 'name',
        ...(hint === undefined ? {} : { hint: html`${context.translation.text(hint)}` }),
      })}
      ${renderFormButtons(context, { cancel: () => this.openForm('') })}
    </form>`;
  }

  private codeForm({ attribute, done = 'common.saved' }: ProfileLine): TemplateResult {
    const { context } = this;
    const prove = (event: Event): void =>
      void this.form.submit(event, { code: checkRequired }, ({ code = '' }) =>
        this.applyChange('submit', () => this.service.profile.verify(attribute as Contact, normalizeCode(code)), done),
      );
    return html`<form data-part="form" novalidate @submit=${prove}>
      <p data-part="hint" id=${context.id('subtitle')}>
        ${context.translation.text('profile.verifyEmail', { destination: this.destination })}
      </p>
      ${renderCodeField(context)}${renderFormButtons(context, { submit: 'common.confirm', cancel: () => this.openForm('') })}
    </form>`;
  }

  private async save(attribute: ProfileLine['attribute'], typed: string): Promise<void> {
    const value = attribute === 'phone_number' ? typed.replaceAll(/[\s()-]/g, '') : typed.trim();
    await this.applyChange('submit', async () => {
      const { codesSent } = await this.service.profile.update({ [attribute]: value });
      if (codesSent.length > 0) this.expectCode(attribute, value);
      else this.form.notify({ id: 'common.saved' });
    });
  }

  private askForCode(attribute: ProfileLine['attribute']): void {
    void this.form.run(`verify-${attribute}`, async () => {
      const [sent] = await this.service.profile.sendCode(attribute as Contact);
      this.expectCode(attribute, sent?.destination ?? '');
    });
  }

  private expectCode(attribute: string, destination: string): void {
    this.destination = destination;
    this.openForm(`code-${attribute}`);
  }
}
