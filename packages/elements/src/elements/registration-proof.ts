import type { RegistrationProof } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { TextPart } from '../translations/languages.ts';
import { renderCard } from '../ui/card.ts';
import { checkRequired } from '../ui/field-checks.ts';
import { renderButton, renderField, renderLinkButton } from '../ui/fields.ts';
import { PoolgateFormElement } from './form-element.ts';

/**
 * Asks a person who confirms an account in another browser for the password from the sign-up, or for a new one. Other elements show it when
 * the service requires it.
 */
export class PoolgateRegistrationProof extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    requiredAttributes: { attribute: false },
    hasPassword: { attribute: false },
    confirm: { attribute: false },
    isNew: { state: true },
  };

  declare requiredAttributes: readonly string[];
  /** False if the registration has no password and only attributes are missing. */
  declare hasPassword: boolean;
  /** Confirms the account with the proof. @throws {PoolgateError} */
  declare confirm: (proof: RegistrationProof) => Promise<void>;
  declare private isNew: boolean;

  constructor() {
    super();
    this.isNew = false;
  }

  protected override get textParts(): readonly TextPart[] {
    return ['forms'];
  }

  protected override render(): TemplateResult {
    return this.isNew || !this.hasPassword ? this.newPassword() : this.oldPassword();
  }

  private oldPassword(): TemplateResult {
    const { text } = this.context.translation;
    return renderCard(this.context, this.layout, {
      title: text('claim.title'),
      subtitle: text('claim.subtitle'),
      mark: { icon: 'shield' },
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.prove(event)}>
        ${renderField(this.context, {
          name: 'password',
          label: 'common.password',
          autocomplete: 'current-password',
          kind: 'password',
        })}
        ${renderButton(this.context, { label: 'verify.submit', name: 'submit', look: 'primary' })}
      </form>`,
      footer: renderLinkButton(this.context, 'claim.useNew', 'new', () => this.change(true)),
    });
  }

  private newPassword(): TemplateResult {
    const { text } = this.context.translation;
    const { hasPassword, requiredAttributes } = this;
    return renderCard(this.context, this.layout, {
      title: text(hasPassword ? 'reset.title' : 'verify.title'),
      subtitle: text('claim.newEffect'),
      mark: { icon: 'shield' },
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.choose(event)}>
        ${requiredAttributes.map((name) =>
          renderField(this.context, { name, label: { literal: name }, autocomplete: 'off' }),
        )}
        ${hasPassword ? this.passwordField() : nothing}
        ${renderButton(this.context, { label: hasPassword ? 'reset.submit' : 'verify.submit', name: 'submit', look: 'primary' })}
      </form>`,
      ...(hasPassword
        ? { footer: renderLinkButton(this.context, 'claim.useOld', 'old', () => this.change(false)) }
        : {}),
    });
  }

  private passwordField(): TemplateResult {
    return renderField(this.context, {
      name: 'password',
      label: 'common.password',
      autocomplete: 'new-password',
      kind: 'password',
      ...this.passwordHint,
    });
  }

  private change(isNew: boolean): void {
    this.form.reset();
    this.typedPassword = '';
    this.isNew = isNew;
    this.focusNext();
  }

  private prove(event: Event): void {
    void this.form.submit(event, { password: checkRequired }, ({ password = '' }) => this.confirm({ password }));
  }

  private choose(event: Event): void {
    const { hasPassword, requiredAttributes: names } = this;
    const checks = {
      ...Object.fromEntries(names.map((name) => [name, checkRequired])),
      ...(hasPassword ? { password: this.passwordCheck } : {}),
    };
    void this.form.submit(event, checks, async (typed) => {
      const attributes = Object.fromEntries(names.map((name) => [name, typed[name] ?? '']));
      const given = names.length === 0 ? {} : { attributes };
      await this.confirm(hasPassword ? { newPassword: typed.password ?? '', ...given } : given);
      this.typedPassword = '';
    });
  }
}
