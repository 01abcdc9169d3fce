import { type LoginStep, PoolgateError, type Registration, type RegistrationProof } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { TextPart } from '../translations/languages.ts';
import { renderCard } from '../ui/card.ts';
import { renderCodeField, renderResendLine } from '../ui/code-field.ts';
import { checkEmail, checkRequired, normalizeCode } from '../ui/field-checks.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import type { FieldChecks } from '../ui/form-controller.ts';
import { isCodeError } from '../ui/form-error.ts';
import { PoolgateFormElement } from './form-element.ts';
import { ResendCounter } from './resend-counter.ts';
import { canCodeSignIn } from './sign-in-flow.ts';

const OWN_CODE_DIGITS = 8;

/** Confirms an account with the code that was sent to its address. */
export class PoolgateVerify extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    username: {},
    registration: { attribute: false },
    asks: { type: Boolean },
    codesSent: { attribute: false },
    codeSentAtMs: { attribute: false },
    isDone: { state: true },
    lacking: { state: true },
  };

  /** The user of the address. Empty: the form asks for it. */
  declare username: string;
  /** The registration of the code, if it was created on this page. */
  declare registration: Registration | undefined;
  /** True if no code was sent yet, so the element requests one. */
  declare asks: boolean;
  /** How many codes were requested here within the last hour. */
  declare codesSent: number;
  /** When the last of them was sent, in milliseconds since 1970. Default: now. */
  declare codeSentAtMs: number | undefined;
  private next: LoginStep | null = null;
  declare private isDone: boolean;
  /** What the service requires in addition to the correct code. */
  declare private lacking: PoolgateError | undefined;
  private code = '';
  private readonly resends = new ResendCounter();
  private isTyped = false;

  constructor() {
    super();
    this.username = '';
    this.asks = false;
    this.codesSent = 1;
    this.isDone = false;
  }

  protected override get textParts(): readonly TextPart[] {
    return ['forms'];
  }

  protected override firstUpdated(): void {
    this.isTyped = this.username === '';
    if (this.asks) void this.form.run('resend', () => this.current().resend());
  }

  protected override render(): TemplateResult {
    const { translation } = this.context;
    if (this.lacking !== undefined && !this.isDone)
      return html`<poolgate-registration-proof
        .requiredAttributes=${this.lacking.registration?.required_attributes ?? []}
        .hasPassword=${this.lacking.code === 'password_required'}
        .confirm=${(proof: RegistrationProof) => this.prove(proof)}
      ></poolgate-registration-proof>`;
    if (this.isDone && this.next !== null)
      return html`<poolgate-sign-in .username=${this.username} .begun=${this.next}></poolgate-sign-in>`;
    if (this.isDone)
      return renderCard(this.context, this.layout, {
        title: translation.text('verify.done'),
        subtitle: translation.text('verify.doneSubtitle'),
        mark: { icon: 'check', look: 'success' },
        body: nothing,
        footer: this.link('signIn', 'signUp.signIn'),
      });
    return renderCard(this.context, this.layout, {
      title: translation.text('verify.title'),
      subtitle: this.isTyped ? undefined : translation.text('verify.subtitle', { destination: this.username }),
      mark: { icon: 'mail' },
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.confirm(event)}>
          ${this.isTyped || this.username === '' ? this.addressField() : nothing}${renderCodeField(this.context, this.codeDigits)}
          ${renderButton(this.context, { label: 'verify.submit', name: 'submit', look: 'primary' })}
        </form>
        ${renderResendLine(
          this.context,
          this.resends.options(this, () => this.resend()),
        )}`,
      footer: this.link('signIn', 'forgot.back'),
    });
  }

  private addressField(): TemplateResult {
    return renderField(this.context, {
      name: 'email',
      label: 'common.email',
      type: 'email',
      autocomplete: 'username',
      value: this.username,
      onInput: (typed) => {
        this.isTyped = true;
        this.username = typed.trim();
      },
    });
  }

  /** The length of the code; undefined at a provider with other codes, where no entry is known to be complete. */
  private get codeDigits(): number | undefined {
    const isKnown = this.parameters?.capabilities.includes('confirm_registration') === true;
    return isKnown && !this.isTyped && this.username !== '' ? OWN_CODE_DIGITS : undefined;
  }

  private current(): Registration {
    return this.registration ?? this.service.signUp.resume({ email: this.username });
  }

  private confirm(event: Event): void {
    const checks: FieldChecks = this.isTyped ? { email: checkEmail, code: checkRequired } : { code: checkRequired };
    void this.form.submit(event, checks, async ({ code = '' }) => {
      this.code = normalizeCode(code);
      try {
        await this.verify();
      } catch (error) {
        if (!(error instanceof PoolgateError) || error.registration === undefined) throw error;
        await import('./define-registration-proof.ts');
        this.lacking = error;
      }
    });
  }

  /** Asks for another code if this one no longer works. */
  private async prove(proof: RegistrationProof): Promise<void> {
    try {
      await this.verify(proof);
    } catch (error) {
      if (!isCodeError(error)) throw error;
      this.lacking = undefined;
      await this.updateComplete;
      this.form.refuse(error);
    }
  }

  private async verify(proof?: RegistrationProof): Promise<void> {
    this.next = await this.current().verify(this.code, proof, { signIn: canCodeSignIn() });
    if (!this.emit('poolgate-verified', { username: this.username, next: this.next })) return;
    this.isDone = true;
    this.focusNext();
  }

  private resend(): void {
    const wrong = checkEmail(this.username, {});
    if (this.isTyped && wrong !== undefined) this.form.reject('email', wrong);
    else
      void this.form.run('resend', async () => {
        await this.current().resend();
        this.form.notify(this.resends.count(this));
        this.form.expectEntry();
      });
  }
}
