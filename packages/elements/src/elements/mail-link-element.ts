import { PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { MessageId, TextPart } from '../translations/languages.ts';
import { type Card, renderCard } from '../ui/card.ts';
import { renderButton } from '../ui/fields.ts';
import type { PageName } from './links.ts';
import { renderPageLink } from './page-link.ts';
import { PoolgateElement } from './poolgate-element.ts';

/** Errors about the link itself: used, expired or invalid. After other errors, the user can try again. */
const REFUSED_LINK: ReadonlySet<number> = new Set([400, 401, 422]);

/** The texts and the target of a link's page. */
interface MailLinkLabels {
  readonly title: MessageId;
  readonly question: MessageId;
  readonly effect: MessageId;
  readonly submit: MessageId;
  readonly look: 'primary' | 'danger';
  readonly icon: 'shield' | 'mail';
  readonly done: MessageId;
  readonly doneSubtitle: MessageId;
  /** The next page. */
  readonly next: PageName;
  readonly nextLabel: MessageId;
}

/** An element for a link in an email. Nothing happens until its button is pressed, because email scanners and previews open links. */
export abstract class PoolgateMailLink extends PoolgateElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateElement.properties,
    outcome: { state: true },
  };

  declare private outcome: 'done' | 'refused' | undefined;
  protected abstract readonly labels: MailLinkLabels;

  protected override get textParts(): readonly TextPart[] {
    return ['forms'];
  }

  /** False if the address contained no complete link. */
  protected abstract get isWhole(): boolean;

  /** Performs the link's action. @throws {PoolgateError} */
  protected abstract act(): Promise<void>;

  /** Whether an error leads to another step, which the element then shows. */
  protected hasNextStep(_error: PoolgateError): boolean {
    return false;
  }

  protected get isDone(): boolean {
    return this.outcome === 'done';
  }

  /** Notifies the application of the success. */
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

  /** Shows that the link is used up. */
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
