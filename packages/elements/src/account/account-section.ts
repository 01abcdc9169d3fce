import { type ChangeOutcome, PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { PoolgateFormElement } from '../elements/form-element.ts';
import type { MessageId } from '../translations/languages.ts';
import { renderMessages } from '../ui/card.ts';

/** What a section of the account shows. */
export interface SectionContent {
  readonly title: MessageId;
  readonly subtitle: MessageId;
  readonly badge?: TemplateResult | typeof nothing;
  readonly body: TemplateResult | typeof nothing;
}

/** One part of the account: it loads what it shows, changes it, and shows what became of it. */
export abstract class PoolgateSection<Data> extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    data: { state: true },
    failed: { state: true },
    open: { state: true },
  };

  /** Undefined until it is loaded. */
  declare protected data: Data | undefined;
  /** Which form is open; empty: none. */
  declare protected open: string;
  declare private failed: PoolgateError | undefined;

  constructor() {
    super();
    this.open = '';
  }

  /** Asks the service. @throws {PoolgateError} */
  protected abstract load(): Promise<Data>;

  /** What is shown once the data is there. */
  protected abstract show(data: Data): SectionContent;

  /** The section before its data is there. */
  protected abstract readonly heading: Pick<SectionContent, 'title' | 'subtitle'>;

  /** All sections appear at once. */
  protected override get isNextStep(): boolean {
    return false;
  }

  protected override connected(): void {
    super.connected();
    void this.refresh();
  }

  /** Loads again. What the service does not offer is said as such, not as a fault. */
  async refresh(): Promise<void> {
    try {
      this.data = await this.load();
      this.failed = undefined;
    } catch (error) {
      if (!(error instanceof PoolgateError)) throw error;
      this.failed = error;
      if (error.code === 'unauthenticated') this.emit('poolgate-signed-out', { isEnded: true });
    }
  }

  protected override render(): TemplateResult {
    const { data, failed } = this;
    const content: SectionContent =
      data === undefined
        ? { ...this.heading, body: failed === undefined ? this.text('common.loading') : this.failure(failed) }
        : this.show(data);
    const { translation, id } = this.context;
    return html`<section data-part="section" aria-labelledby=${id('title')}>
      <div data-part="header">
        <h2 data-part="section-title" id=${id('title')} tabindex="-1">
          <span>${translation.text(content.title)}</span>${content.badge ?? nothing}
        </h2>
        <p data-part="subtitle">${translation.text(content.subtitle)}</p>
      </div>
      <div data-part="stack">${renderMessages(this.context)}${content.body}</div>
    </section>`;
  }

  protected text(id: MessageId): TemplateResult {
    return html`<p data-part="hint">${this.context.translation.text(id)}</p>`;
  }

  /** Opens a form in place of what stands there, or closes it. */
  protected openForm(form: string): void {
    this.open = form;
    this.form.reset();
    this.focusNext();
  }

  /**
   * Changes something, and loads again. Where the sign-in was too long ago, whoever is around the section has it proven again and
   * tries once more.
   */
  protected change(button: string, act: () => Promise<unknown>, done?: MessageId): Promise<void> {
    return this.form.run(button, () => this.applyChange(button, act, done));
  }

  /** As {@link change}, for what runs inside the submit of a form. */
  protected async applyChange(button: string, act: () => Promise<unknown>, done?: MessageId): Promise<void> {
    const { open } = this;
    try {
      const outcome = await act();
      if (hasLoginEnded(outcome)) this.emit('poolgate-signed-out', { isEnded: true });
    } catch (error) {
      if (!(error instanceof PoolgateError)) throw error;
      if (error.code === 'unauthenticated') this.emit('poolgate-signed-out', { isEnded: true });
      if (error.code !== 'reauthentication_required') throw error;
      const retry = (): void => void this.change(button, act, done);
      if (this.emit('poolgate-step-up', { retry })) throw error;
      return;
    }
    // What was done may have opened what comes next.
    if (this.open === open) this.open = '';
    if (done !== undefined) this.form.notify({ id: done });
    await this.refresh();
    this.emit('poolgate-account-changed', {});
    await this.keepFocus();
  }

  /** Where the button or the form that had the focus is gone, the section takes it: else the next Tab would begin anywhere. */
  private async keepFocus(): Promise<void> {
    await this.updateComplete;
    if (this.isConnected && document.activeElement === document.body) this.focusNext();
  }

  private failure(error: PoolgateError): TemplateResult {
    if (error.code === 'feature_disabled') return this.text('common.notSupported');
    return this.text('error.unknown');
  }
}

/** Whether a change ended this sign-in with the others. */
function hasLoginEnded(outcome: unknown): boolean {
  return (outcome as ChangeOutcome | undefined)?.loginEnded === true;
}
