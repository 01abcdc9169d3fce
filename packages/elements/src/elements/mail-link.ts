import { PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { button } from '../ui/fields.ts';
import { type Card, card } from '../ui/frame.ts';
import { PoolgateElement } from './element.ts';
import type { PageName } from './links.ts';
import { pageLink } from './page-link.ts';

/** Refusals of a link itself: used before, too old, or never one. What else goes wrong can be tried again. */
const REFUSED_LINK: ReadonlySet<number> = new Set([400, 401, 422]);

/** What a page behind a link says, and does. */
interface LinkCard {
  readonly title: MessageId;
  readonly question: MessageId;
  readonly effect: MessageId;
  readonly submit: MessageId;
  readonly look: 'primary' | 'danger';
  readonly icon: 'shield' | 'mail';
  readonly done: MessageId;
  readonly doneSubtitle: MessageId;
  /** Where it goes on. */
  readonly next: PageName;
  readonly nextLabel: MessageId;
}

/**
 * An element for a link in a mail. Nothing happens before its button is used: scanners of mail open links, and so do previews.
 */
export abstract class PoolgateMailLink extends PoolgateElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateElement.properties,
    outcome: { state: true },
  };

  declare private outcome: 'done' | 'refused' | undefined;
  protected abstract readonly labels: LinkCard;

  /** False: the address had no whole link in it. */
  protected abstract get isWhole(): boolean;

  /** Does what the link is for. @throws {PoolgateError} */
  protected abstract act(): Promise<void>;

  /** Whether a refusal leads on to another step, which the element shows from then on. */
  protected goesOn(_error: PoolgateError): boolean {
    return false;
  }

  protected get isDone(): boolean {
    return this.outcome === 'done';
  }

  /** Tells the application that it is done. */
  protected abstract tellDone(): boolean;

  protected override render(): TemplateResult {
    return card(this.context, this.layout, this.shownCard());
  }

  private shownCard(): Card {
    const { labels } = this;
    const { translation } = this.context;
    if (!this.isWhole) return this.refusal('link.missing');
    if (this.outcome === 'refused') return this.refusal('link.used');
    if (this.outcome === 'done')
      return {
        title: translation.text(labels.done),
        subtitle: translation.text(labels.doneSubtitle),
        mark: { icon: 'check', look: 'success' },
        body: this.onward('primary'),
      };
    return {
      title: translation.text(labels.title),
      subtitle: translation.text(labels.question),
      mark: labels.look === 'danger' ? { icon: labels.icon, look: 'danger' } : { icon: labels.icon },
      body: html`<p data-part="text">${translation.text(labels.effect)}</p>
        ${button(this.context, { label: labels.submit, name: 'submit', look: labels.look, onClick: () => this.use() })}`,
    };
  }

  private refusal(text: MessageId): Card {
    const { translation } = this.context;
    return {
      title: translation.text('refused.title'),
      subtitle: translation.text(text),
      mark: { icon: 'alert', look: 'danger' },
      body: nothing,
      footer: this.onward('link'),
    };
  }

  private onward(look: 'primary' | 'link'): TemplateResult {
    const { next: to, nextLabel: label } = this.labels;
    return pageLink(this.context, {
      to,
      label,
      look,
      links: this.links,
      tell: (name, detail) => this.tell(name, detail),
    });
  }

  /** Says that the link is used up. */
  protected refuse(): void {
    this.outcome = 'refused';
    this.focusNext();
  }

  private use(): void {
    void this.form.run('submit', async () => {
      try {
        await this.act();
      } catch (error) {
        if (!(error instanceof PoolgateError) || !REFUSED_LINK.has(error.status)) throw error;
        if (!this.goesOn(error)) this.refuse();
        return;
      }
      this.finish();
    });
  }

  protected finish(): void {
    if (!this.tellDone()) return;
    this.outcome = 'done';
    this.focusNext();
  }
}
