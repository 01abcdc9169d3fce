import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { TextPart } from '../translations/languages.ts';
import { renderCard } from '../ui/card.ts';
import { checkRequired } from '../ui/field-checks.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import { PoolgateFormElement } from './form-element.ts';

/** Sends a reset code, then accepts the code and the new password. */
export class PoolgateForgotPassword extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    username: {},
    session: { state: true },
    isSent: { state: true },
  };

  /** The initial value of the first field. */
  declare username: string;
  /** The session of the sent code. */
  declare private session: string | undefined;
  declare private isSent: boolean;

  constructor() {
    super();
    this.username = '';
    this.isSent = false;
  }

  protected override get textParts(): readonly TextPart[] {
    return ['forms'];
  }

  protected override render(): TemplateResult {
    return this.isSent ? this.reset() : this.question();
  }

  private question(): TemplateResult {
    const { context } = this;
    return renderCard(context, this.layout, {
      title: context.translation.text('forgot.title'),
      subtitle: context.translation.text('forgot.subtitle'),
      mark: { icon: 'key' },
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.send(event)}>
        ${renderField(context, {
          name: 'username',
          label: 'common.username',
          autocomplete: 'username',
          kind: 'username',
          value: this.username,
        })}
        ${renderButton(context, { label: 'forgot.submit', name: 'submit', look: 'primary' })}
      </form>`,
      footer: this.link('signIn', 'forgot.back'),
    });
  }

  private reset(): TemplateResult {
    return html`<poolgate-reset-password
      .username=${this.username}
      .session=${this.session}
    ></poolgate-reset-password>`;
  }

  private send(event: Event): void {
    void this.form.submit(event, { username: checkRequired }, async ({ username = '' }) => {
      this.username = username.trim();
      ({ session: this.session } = await this.service.password.forgot({ username: this.username }));
      this.isSent = true;
      this.emit('poolgate-code-sent', { username: this.username });
    });
  }
}
