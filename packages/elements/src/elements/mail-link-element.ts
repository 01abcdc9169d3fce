import { PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { type Card, renderCard } from '../ui/card.ts';
import { renderButton } from '../ui/fields.ts';
import type { PageName } from './links.ts';
import { renderPageLink } from './page-link.ts';
import { PoolgateElement } from './poolgate-element.ts';

/** Refusals of a link itself: used before, too old, or never one. What else goes wrong can be tried again. */
const REFUSED_LINK: ReadonlySet<number> = new Set([400, 401, 422]);

/** What a page behind a link says, and does. */
interface MailLinkLabels {
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
  protected abstract readonly labels: MailLinkLabels;

  /** False: the address had no whole link in it. */
  protected abstract get isWhole(): boolean;

  /** Does what the link is for. @throws {PoolgateError} */
  protected abstract act(): Promise<void>;

  /** Whether a refusal leads on to another step, which the element shows from then on. */
  protected hasNextStep(_error: PoolgateError): boolean {
    return false;
  }

  protected get isDone(): boolean {
    return this.outcome === 'done';
  }

  /** Tells the application that it is done. */
  protected abstract emitDone(): boolean;

  protected override render(): TemplateResult {
    return renderCard(this.context, this.layout, this.shownCard());
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
        body: this.nextLink('primary'),
      };
    return {
      title: translation.text(labels.title),
      subtitle: translation.text(labels.question),
      mark: labels.look === 'danger' ? { icon: labels.icon, look: 'danger' } : { icon: labels.icon },
      body: html`<p data-part="text">${translation.text(labels.effect)}</p>
        ${renderButton(this.context, { label: labels.submit, name: 'submit', look: labels.look, onClick: () => this.use() })}`,
    };
  }

  private refusal(text: MessageId): Card {
    const { translation } = this.context;
    return {
      title: translation.text('refused.title'),
      subtitle: translation.text(text),
      mark: { icon: 'alert', look: 'danger' },
      body: nothing,
      footer: this.nextLink('link'),
    };
  }

  private nextLink(look: 'primary' | 'link'): TemplateResult {
    const { next: to, nextLabel: label } = this.labels;
    return renderPageLink(this.context, {
      to,
      label,
      look,
      links: this.links,
      emit: (name, detail) => this.emit(name, detail),
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
        if (!this.hasNextStep(error)) this.refuse();
        return;
      }
      this.finish();
    });
  }

  protected finish(): void {
    if (!this.emitDone()) return;
    this.outcome = 'done';
    this.focusNext();
  }
}
