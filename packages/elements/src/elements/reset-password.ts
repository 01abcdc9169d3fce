import { type LoginStep, PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { TextPart } from '../translations/languages.ts';
import { renderCard } from '../ui/card.ts';
import { renderCodeField, renderResendLine } from '../ui/code-field.ts';
import { checkRequired, normalizeCode } from '../ui/field-checks.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import { renderHiddenUsername } from '../ui/hidden-username.ts';
import { PoolgateFormElement } from './form-element.ts';
import { ResendCounter } from './resend-counter.ts';
import { canCodeSignIn } from './sign-in-flow.ts';

type PasswordService = PoolgateFormElement['service']['password'];

/** Sets a new password with the sent code, and continues with the sign-in. */
export class PoolgateResetPassword extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    username: {},
    session: { attribute: false },
    codesSent: { attribute: false },
    codeSentAtMs: { attribute: false },
    isDone: { state: true },
  };

  /** The user of the password. Empty: the form asks for it. */
  declare username: string;
  /** The session of the code. By default, the service remembers it in the browser session. */
  declare session: string | undefined;
  /** How many codes were requested here within the last hour. */
  declare codesSent: number;
  /** When the last of them was sent, in milliseconds since 1970. Default: now. */
  declare codeSentAtMs: number | undefined;
  declare private isDone: boolean;
  private next: LoginStep | null = null;
  private readonly resends = new ResendCounter();
  private isTyped = false;

  constructor() {
    super();
    this.username = '';
    this.codesSent = 1;
    this.isDone = false;
  }

  protected override get textParts(): readonly TextPart[] {
    return ['forms'];
  }

  protected override firstUpdated(): void {
    this.isTyped = this.username === '';
  }

  protected override render(): TemplateResult {
    return this.isDone ? this.signIn() : this.newPassword();
  }

  private newPassword(): TemplateResult {
    const { context, username } = this;
    const isAsked = this.isTyped || username === '';
    return renderCard(context, this.layout, {
      title: context.translation.text('reset.title'),
      subtitle: isAsked ? undefined : context.translation.text('reset.subtitle', { username }),
      mark: { icon: 'lock' },
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.reset(event)}>
          ${isAsked ? this.nameField() : renderHiddenUsername(username)}${renderCodeField(context)}
          ${renderField(context, {
            name: 'password',
            label: 'common.newPassword',
            autocomplete: 'new-password',
            kind: 'password',
            ...this.passwordHint,
          })}
          ${renderButton(context, { label: 'reset.submit', name: 'submit', look: 'primary' })}
        </form>
        ${
          isAsked
            ? nothing
            : renderResendLine(
                context,
                this.resends.options(this, () => this.resend()),
              )
        }`,
      footer: this.link('signIn', 'forgot.back'),
    });
  }

  private nameField(): TemplateResult {
    return renderField(this.context, {
      name: 'username',
      label: 'common.username',
      autocomplete: 'username',
      kind: 'username',
      value: this.username,
    });
  }

  private signIn(): TemplateResult {
    return html`<poolgate-sign-in
      .username=${this.username}
      .notice=${this.next === null ? 'reset.done' : undefined}
      .begun=${this.next ?? undefined}
    ></poolgate-sign-in>`;
  }

  private reset(event: Event): void {
    const checks = {
      ...(this.isTyped ? { username: checkRequired } : {}),
      code: checkRequired,
      password: this.passwordCheck,
    };
    void this.form.submit(event, checks, async ({ username = this.username, code = '', password = '' }) => {
      this.username = username.trim();
      const { session } = this;
      const signIn = canCodeSignIn();
      const reset = { username: this.username, code: normalizeCode(code), session, password, signIn };
      if (!(await this.hasReset(reset))) return;
      this.typedPassword = '';
      this.isDone = this.emit('poolgate-password-reset', { username: this.username, next: this.next });
    });
  }

  /** False after too many wrong codes. A new code has its own guesses, so the user need not wait. */
  private async hasReset(reset: Parameters<PasswordService['reset']>[0]): Promise<boolean> {
    try {
      this.next = await this.service.password.reset(reset);
      return true;
    } catch (error) {
      if (!(error instanceof PoolgateError) || error.code !== 'too_many_requests') throw error;
      this.form.reject('code', { id: 'reset.tooManyCodes' });
      return false;
    }
  }

  private resend(): void {
    void this.form.run('resend', async () => {
      const { username, session } = this;
      ({ session: this.session } = await this.service.password.forgot({ username, ...(session && { session }) }));
      this.form.notify(this.resends.count(this));
    });
  }
}
