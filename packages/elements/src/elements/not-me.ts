import type { PropertyDeclarations } from 'lit';
import { PoolgateMailLink } from './mail-link-element.ts';

/** Ends every login of an account, for the link in an email about a change. */
export class PoolgateNotMe extends PoolgateMailLink {
  static override properties: PropertyDeclarations = {
    ...PoolgateMailLink.properties,
    token: { attribute: false },
  };

  /** The fragment of the link. Empty: the link is incomplete. */
  declare token: string;

  protected readonly labels = {
    title: 'notMe.title',
    question: 'notMe.question',
    effect: 'notMe.effect',
    submit: 'notMe.submit',
    look: 'danger',
    icon: 'shield',
    done: 'notMe.done',
    doneSubtitle: 'notMe.doneSubtitle',
    next: 'forgotPassword',
    nextLabel: 'reset.title',
  } as const;

  constructor() {
    super();
    this.token = '';
  }

  protected get isWhole(): boolean {
    return this.token !== '';
  }

  protected act(): Promise<void> {
    return this.service.password.notMe({ token: this.token });
  }

  protected emitDone(): boolean {
    return this.emit('poolgate-reported', {});
  }
}
