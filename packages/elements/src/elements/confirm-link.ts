import type { ConfirmLink } from '@poolgate/client';
import type { PropertyDeclarations } from 'lit';
import { PoolgateMailLink } from './mail-link.ts';

/** Confirms an account by the link in the mail to whoever signed up. */
export class PoolgateConfirmLink extends PoolgateMailLink {
  static override properties: PropertyDeclarations = {
    ...PoolgateMailLink.properties,
    link: { attribute: false },
  };

  /** What stands in the link: a token; or name and code, as Amazon Cognito writes it. Undefined: the link is not whole. */
  declare link: ConfirmLink | undefined;

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

  protected async act(): Promise<void> {
    if (this.link !== undefined) await this.service.signUp.confirm(this.link);
  }

  protected tellDone(): boolean {
    return this.tell('poolgate-verified', { username: '' });
  }
}
