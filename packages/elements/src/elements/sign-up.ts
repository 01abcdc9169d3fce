import type { LoginStep, Registration } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { TextPart } from '../translations/languages.ts';
import { renderCard } from '../ui/card.ts';
import { checkEmail } from '../ui/field-checks.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import { PoolgateFormElement } from './form-element.ts';

/** Creates an account, confirms it and continues with the sign-in. */
export class PoolgateSignUp extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    registration: { state: true },
    isConfirmed: { state: true },
  };

  declare private registration: Registration | undefined;
  declare private isConfirmed: boolean;
  private next: LoginStep | null = null;

  constructor() {
    super();
    this.isConfirmed = false;
  }

  protected override get textParts(): readonly TextPart[] {
    return ['forms'];
  }

  protected override render(): TemplateResult {
    const { registration } = this;
    if (registration === undefined) return this.newAccount();
    return this.isConfirmed ? this.signIn(registration.email) : this.confirmation(registration);
  }

  private newAccount(): TemplateResult {
    const { context, layout } = this;
    const { appName } = layout;
    return renderCard(context, layout, {
      title:
        appName === undefined
          ? context.translation.text('signUp.title')
          : context.translation.text('signUp.titleTo', { app: appName }),
      subtitle: context.translation.text('signUp.subtitle'),
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.register(event)}>
        ${renderField(context, { name: 'name', label: 'common.name', autocomplete: 'name', isOptional: true })}
        ${renderField(context, { name: 'email', label: 'common.email', type: 'email', autocomplete: 'username' })}
        ${renderField(context, {
          name: 'password',
          label: 'common.password',
          autocomplete: 'new-password',
          kind: 'password',
          ...this.passwordHint,
        })}
        ${renderButton(context, { label: 'signUp.submit', name: 'submit', look: 'primary' })}${this.terms()}
      </form>`,
      footer: html`<span>${context.translation.text('signUp.haveAccount')}</span>${this.link('signIn', 'signUp.signIn')}`,
    });
  }

  private terms(): TemplateResult | typeof nothing {
    const { termsUrl, privacyUrl } = this.layout;
    const { text } = this.context.translation;
    if (termsUrl === undefined && privacyUrl === undefined) return nothing;
    return html`<p data-part="hint">
      ${termsUrl === undefined ? nothing : html`<a data-part="link" href=${termsUrl}>${text('signUp.terms')}</a> `}
      ${privacyUrl === undefined ? nothing : html`<a data-part="link" href=${privacyUrl}>${text('signUp.privacy')}</a>`}
    </p>`;
  }

  private confirmation(registration: Registration): TemplateResult {
    return html`<poolgate-verify
      .username=${registration.email}
      .registration=${registration}
      @poolgate-verified=${(event: HTMLElementEventMap['poolgate-verified']) => this.goOn(event)}
    ></poolgate-verify>`;
  }

  private signIn(username: string): TemplateResult {
    return html`<poolgate-sign-in
      .username=${username}
      .notice=${this.next === null ? 'verify.done' : undefined}
      .begun=${this.next ?? undefined}
    ></poolgate-sign-in>`;
  }

  /** The inner element need not announce its success, because the sign-in replaces it. */
  private goOn(event: HTMLElementEventMap['poolgate-verified']): void {
    event.preventDefault();
    this.next = event.detail.next;
    this.isConfirmed = true;
  }

  private register(event: Event): void {
    void this.form.submit(event, { email: checkEmail, password: this.passwordCheck }, async (typed) => {
      const name = typed.name?.trim() ?? '';
      const user = { email: typed.email?.trim() ?? '', password: typed.password ?? '' };
      this.registration = await this.service.signUp.register(name === '' ? user : { ...user, name });
      this.typedPassword = '';
      this.emit('poolgate-signed-up', { username: user.email });
    });
  }
}
