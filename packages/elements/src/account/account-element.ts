/** The account sections as custom elements. Each loads its own data, and asks for another login if the service requires a recent one. */
import type { ConnectedIdentity, User } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { PoolgateFormElement } from '../elements/form-element.ts';
import type { TextPart } from '../translations/languages.ts';
import { renderCard, renderMessages } from '../ui/card.ts';
import { ACCOUNT_PARTS } from './account-parts.ts';
import { renderAvatar } from './avatar.ts';
import { CurrentPart } from './current-part.ts';
import { renderSmallButton } from './list-items.ts';
import { renderStepUpProviders } from './step-up-providers.ts';

/** The whole account, with the step-up dialog if a section needs a recent sign-in. */
export class PoolgateAccount extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    backUrl: {},
    user: { state: true },
    stepUp: { state: true },
    deletion: { state: true },
    providers: { state: true },
  };

  /** The URL of the application that the user came from. A link leads back to it. */
  declare backUrl: string | undefined;
  /** The signed-in user; undefined until loaded. */
  declare private user: User | undefined;
  /** The action that waits for the step-up. */
  declare private stepUp: (() => void) | undefined;
  /** Set once the account is deleted, or will be. */
  declare private deletion: { readonly deletionAt?: string } | undefined;
  /** Where the user can sign in again, instead of here. */
  declare private providers: readonly ConnectedIdentity[] | undefined;
  /** The section whose link was last scrolled into view. */
  private shownPart: string | undefined;
  private readonly current = new CurrentPart(this, ACCOUNT_PARTS[0]?.name ?? '');
  private sub: string | undefined;
  private unsubscribe: (() => void) | undefined;

  protected override get textParts(): readonly TextPart[] {
    return ['account'];
  }

  /** The name with which the user signs in. */
  private get username(): string {
    return this.user?.email ?? this.user?.username ?? '';
  }

  protected override connected(): void {
    super.connected();
    void this.loadUser();
    this.unsubscribe = this.service.onChange(() => void this.checkSession());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const dialog = this.querySelector('dialog');
    if (dialog !== null && !dialog.open) dialog.showModal();
    if (this.shownPart !== this.current.name) this.showCurrentLink();
  }

  /** On a phone, the links to the sections scroll sideways. `scrollIntoView` would also scroll the page. */
  private showCurrentLink(): void {
    const list = this.querySelector<HTMLElement>('[data-part=nav] ul');
    const link = list?.querySelector('[aria-current]');
    if (!list || !link) return;
    this.shownPart = this.current.name;
    const [outer, inner] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
    list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }

  protected override render(): TemplateResult {
    const { context } = this;
    const { text } = context.translation;
    const { deletion } = this;
    if (deletion !== undefined)
      return renderCard(context, this.layout, {
        ...this.describeDeletion(deletion),
        mark: { icon: 'check', look: 'success' },
        body: nothing,
        footer: this.link('signIn', 'signUp.signIn'),
      });
    return html`<div
      data-part="account"
      @poolgate-step-up=${(event: CustomEvent<{ readonly retry: () => void }>) => this.requestStepUp(event)}
      @poolgate-deleted=${(event: CustomEvent<{ readonly deletionAt?: string }>) => this.showDeleted(event)}
      @poolgate-account-changed=${() => void this.loadUser()}
    >
      <div data-part="account-head">
        ${this.user === undefined ? nothing : renderAvatar(this.user)}
        <div data-part="item-text">
          <h1 data-part="title" tabindex="-1">${text('account.title')}</h1>
          <p data-part="item-detail"><bdi>${this.username}</bdi></p>
        </div>
        ${this.backLink()}${renderSmallButton(context, { label: 'account.signOut', name: 'sign-out', onClick: () => this.signOut() })}
        ${renderMessages(context)}
      </div>
      <nav data-part="nav" aria-label=${text('account.parts')}>
        <ul>
          ${ACCOUNT_PARTS.map(
            ({ name, title }) => html`<li>
              <a
                data-part="nav-link"
                href="#${name}"
                aria-current=${name === this.current.name ? 'true' : nothing}
                @click=${() => this.current.choose(name)}
                >${text(title)}</a
              >
            </li>`,
          )}
        </ul>
      </nav>
      <div data-part="sections">${ACCOUNT_PARTS.map(({ name, element }) => html`<div id=${name}>${element()}</div>`)}</div>
      ${this.stepUp === undefined ? '' : this.stepUpDialog()}
    </div>`;
  }

  private stepUpDialog(): TemplateResult {
    const proven = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      const { stepUp } = this;
      close();
      stepUp?.();
    };
    // A dialog that closes returns the focus; one that is removed from the page does not.
    const close = (): void => {
      this.querySelector('dialog')?.close();
      this.stepUp = undefined;
    };
    return html`<dialog data-part="dialog" aria-label=${this.context.translation.text('stepUp.title')} @close=${close}>
      <poolgate-sign-in purpose="step-up" .username=${this.username} @poolgate-signed-in=${proven}></poolgate-sign-in>
      ${renderStepUpProviders(this.context, this.service, this.providers)}
      <div data-part="footer">
        ${renderSmallButton(this.context, { label: 'common.cancel', name: 'cancel-step-up', onClick: close })}
      </div>
    </dialog>`;
  }

  private requestStepUp(event: CustomEvent<{ readonly retry: () => void }>): void {
    event.preventDefault();
    this.stepUp = event.detail.retry;
    void this.findProviders();
  }

  private showDeleted(event: CustomEvent<{ readonly deletionAt?: string }>): void {
    this.deletion = event.detail;
    this.focusNext();
  }

  private signOut(): void {
    void this.form.run('sign-out', async () => {
      await this.service.logOut();
      this.emit('poolgate-signed-out', { isEnded: false });
    });
  }

  private describeDeletion({ deletionAt }: { readonly deletionAt?: string }): {
    readonly title: string;
    readonly subtitle: string;
  } {
    const { text, date } = this.context.translation;
    if (deletionAt === undefined) return { title: text('delete.done'), subtitle: text('delete.doneSubtitle') };
    return { title: text('delete.graceDone'), subtitle: text('delete.graceDoneSubtitle', { date: date(deletionAt) }) };
  }

  private backLink(): TemplateResult | typeof nothing {
    const { backUrl, context } = this;
    if (backUrl === undefined) return nothing;
    return html`<a data-part="link" data-name="back" href=${backUrl}>${context.translation.text('account.back')}</a>`;
  }

  private async findProviders(): Promise<void> {
    const { identities } = await this.service.identities.list().catch(() => ({ identities: [] }));
    this.providers = identities;
  }

  private async loadUser(): Promise<void> {
    this.user = (await this.service.profile.show().catch(() => undefined)) ?? this.user;
    this.sub ??= this.user?.sub;
  }

  /** Another tab may have signed out, or signed another user in. */
  private async checkSession(): Promise<void> {
    const { service, sub } = this;
    if (service.mode !== 'session' || this.deletion !== undefined || this.form.busy) return;
    const session = await service.session().catch(() => undefined);
    // A deletion in this tab ends the session too, and has its own end.
    if (session === undefined || this.deletion !== undefined) return;
    if (session.user === null || (sub !== undefined && session.user.sub !== sub))
      this.emit('poolgate-signed-out', { isEnded: true });
  }
}
