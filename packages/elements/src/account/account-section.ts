import { type ChangeOutcome, PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { PoolgateFormElement } from '../elements/form-element.ts';
import type { MessageId, TextPart } from '../translations/languages.ts';
import { renderMessages } from '../ui/card.ts';

/** The content of an account section. */
export interface SectionContent {
  readonly title: MessageId;
  readonly subtitle: MessageId;
  readonly badge?: TemplateResult | typeof nothing;
  readonly body: TemplateResult | typeof nothing;
}

/** An account section: it loads its data, changes it, and shows the result. */
export abstract class PoolgateSection<Data> extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    data: { state: true },
    failed: { state: true },
    open: { state: true },
  };

  /** Undefined until loaded. */
  declare protected data: Data | undefined;
  /** The open form; empty for none. */
  declare protected open: string;
  declare private failed: PoolgateError | undefined;

  constructor() {
    super();
    this.open = '';
  }

  protected override get textParts(): readonly TextPart[] {
    return ['account'];
  }

  /** Loads the data from the service. @throws {PoolgateError} */
  protected abstract load(): Promise<Data>;

  /** Renders the section with its data. */
  protected abstract show(data: Data): SectionContent;

  /** The heading while the data is loading. */
  protected abstract readonly heading: Pick<SectionContent, 'title' | 'subtitle'>;

  /** All sections appear at once. */
  protected override get isNextStep(): boolean {
    return false;
  }

  protected override connected(): void {
    super.connected();
    void this.refresh();
  }

  /** Loads the data again. A feature that the service does not offer is reported as such, not as an error. */
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

  /** Opens a form in the section, or closes it. */
  protected openForm(form: string): void {
    this.open = form;
    this.form.reset();
    this.focusNext();
  }

  /**
   * Makes a change and loads the data again. If the sign-in is too old, the surrounding element verifies the user and the change is
   * repeated.
   */
  protected change(button: string, act: () => Promise<unknown>, done?: MessageId): Promise<void> {
    return this.form.run(button, () => this.applyChange(button, act, done));
  }

  /** Like {@link change}, for code within a form's submit handler. */
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
    // The action may have opened the next form.
    if (this.open === open) this.open = '';
    if (done !== undefined) this.form.notify({ id: done });
    await this.refresh();
    this.emit('poolgate-account-changed', {});
    await this.keepFocus();
  }

  /** If the focused button or form was removed, the section takes the focus. Otherwise the next Tab would start at an arbitrary place. */
  private async keepFocus(): Promise<void> {
    await this.updateComplete;
    if (this.isConnected && document.activeElement === document.body) this.focusNext();
  }

  private failure(error: PoolgateError): TemplateResult {
    if (error.code === 'feature_disabled') return this.text('common.notSupported');
    return this.text('error.unknown');
  }
}

/** Whether a change also ended this sign-in. */
function hasLoginEnded(outcome: unknown): boolean {
  return (outcome as ChangeOutcome | undefined)?.loginEnded === true;
}
