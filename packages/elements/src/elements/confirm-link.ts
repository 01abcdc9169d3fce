import type { ConfirmLink, LoginStep, PoolgateError, RegistrationProof } from '@poolgate/client';
import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { isCodeError } from '../ui/form-error.ts';
import { PoolgateMailLink } from './mail-link-element.ts';
import { canCodeSignIn } from './sign-in-flow.ts';

/** Confirms an account with the link in the sign-up email. */
export class PoolgateConfirmLink extends PoolgateMailLink {
  static override properties: PropertyDeclarations = {
    ...PoolgateMailLink.properties,
    link: { attribute: false },
    lacking: { state: true },
  };

  /** The content of the link: a token, or username and code in Amazon Cognito's format. Undefined: the link is incomplete. */
  declare link: ConfirmLink | undefined;
  declare private lacking: PoolgateError | undefined;
  private next: LoginStep | null = null;

  protected readonly labels = {
    title: 'verify.title',
    question: 'confirm.question',
    effect: 'confirm.effect',
    submit: 'confirm.submit',
    look: 'primary',
    icon: 'mail',
    done: 'verify.done',
    doneSubtitle: 'verify.doneSubtitle',
    next: 'signIn',
    nextLabel: 'signIn.title',
  } as const;

  protected get isWhole(): boolean {
    return this.link !== undefined;
  }

  protected override render(): TemplateResult {
    if (this.isDone && this.next !== null) return html`<poolgate-sign-in .begun=${this.next}></poolgate-sign-in>`;
    if (this.lacking === undefined || this.isDone) return super.render();
    return html`<poolgate-registration-proof
      .requiredAttributes=${this.lacking.registration?.required_attributes ?? []}
      .hasPassword=${this.lacking.code === 'password_required'}
      .confirm=${(proof: RegistrationProof) => this.prove(proof)}
    ></poolgate-registration-proof>`;
  }

  protected async act(): Promise<void> {
    await this.confirm();
  }

  private async confirm(proof?: RegistrationProof): Promise<void> {
    if (this.link === undefined) return;
    this.next = await this.service.signUp.confirm(this.link, proof, { signIn: canCodeSignIn() });
  }

  protected override hasNextStep(error: PoolgateError): boolean {
    if (error.registration === undefined) return false;
    this.lacking = error;
    return true;
  }

  private async prove(proof: RegistrationProof): Promise<void> {
    try {
      await this.confirm(proof);
      this.finish();
    } catch (error) {
      if (!isCodeError(error)) throw error;
      this.lacking = undefined;
      this.refuse();
    }
  }

  protected emitDone(): boolean {
    return this.emit('poolgate-verified', { username: '', next: this.next });
  }
}
