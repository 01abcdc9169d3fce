import type { ConfirmLink, PoolgateError, RegistrationProof } from '@poolgate/client';
import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { isCodeError } from '../ui/form-error.ts';
import { PoolgateMailLink } from './mail-link-element.ts';

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
    if (this.lacking === undefined || this.isDone) return super.render();
    return html`<poolgate-registration-proof
      .requiredAttributes=${this.lacking.registration?.required_attributes ?? []}
      .hasPassword=${this.lacking.code === 'password_required'}
      .confirm=${(proof: RegistrationProof) => this.prove(proof)}
    ></poolgate-registration-proof>`;
  }

  protected async act(): Promise<void> {
    if (this.link !== undefined) await this.service.signUp.confirm(this.link);
  }

  protected override hasNextStep(error: PoolgateError): boolean {
    if (error.registration === undefined) return false;
    this.lacking = error;
    return true;
  }

  private async prove(proof: RegistrationProof): Promise<void> {
    try {
      if (this.link !== undefined) await this.service.signUp.confirm(this.link, proof);
      this.finish();
    } catch (error) {
      if (!isCodeError(error)) throw error;
      this.lacking = undefined;
      this.refuse();
    }
  }

  protected emitDone(): boolean {
    return this.emit('poolgate-verified', { username: '' });
  }
}
