import type { LoginParameters } from '@poolgate/client';
import type { PropertyDeclarations, TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import type { RedrawTimer } from '../ui/code-field.ts';
import type { FieldOptions } from '../ui/fields.ts';
import type { FieldCheck } from '../ui/form-controller.ts';
import { createPasswordCheck, renderPasswordRules } from '../ui/password-rules.ts';
import type { RenderContext } from '../ui/render-context.ts';
import type { PageName } from './links.ts';
import { renderPageLink } from './page-link.ts';
import { PoolgateElement } from './poolgate-element.ts';

/** An element with a form. It knows the service's rules and updates what changes with time. */
export abstract class PoolgateFormElement extends PoolgateElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateElement.properties,
    parameters: { state: true },
    typedPassword: { state: true },
  };

  /** The service's parameters; undefined until loaded, or if unavailable. */
  declare protected parameters: LoginParameters | undefined;
  /** The new password as typed so far. */
  declare protected typedPassword: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private redrawAtMs = Number.POSITIVE_INFINITY;

  constructor() {
    super();
    this.typedPassword = '';
  }

  protected override connected(): void {
    void this.loadParameters();
    // Updates what changed while the element was outside of the page.
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.redrawAtMs = Number.POSITIVE_INFINITY;
  }

  protected override get context(): RenderContext & RedrawTimer {
    return {
      ...super.context,
      now: () => Date.now(),
      redrawIn: (ms) => this.redrawIn(ms),
    };
  }

  /** Of several parts that change with time, the first one counts. */
  private redrawIn(ms: number): void {
    const atMs = Date.now() + ms;
    // An element that was removed from the page may be rendered once more.
    if (!this.isConnected || atMs >= this.redrawAtMs) return;
    clearTimeout(this.timer);
    this.redrawAtMs = atMs;
    this.timer = setTimeout(() => {
      this.redrawAtMs = Number.POSITIVE_INFINITY;
      this.requestUpdate();
    }, ms);
  }

  /** The hint of a field for a new password. */
  protected get passwordHint(): Pick<FieldOptions, 'hint' | 'onInput'> {
    return {
      hint: renderPasswordRules(this.context.translation, this.parameters?.password_policy, this.typedPassword),
      onInput: (typed) => {
        this.typedPassword = typed;
      },
    };
  }

  protected get passwordCheck(): FieldCheck {
    return createPasswordCheck(this.parameters?.password_policy);
  }

  protected link(to: PageName, label: MessageId): TemplateResult {
    return renderPageLink(this.context, {
      to,
      label,
      links: this.links,
      emit: (name, detail) => this.emit(name, detail),
    });
  }

  private async loadParameters(): Promise<void> {
    this.parameters = await this.service.parameters().catch(() => undefined);
  }
}
