/** The account sections as custom elements. Each loads its own data, and asks for another login if the service requires a recent one. */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { PoolgateFormElement } from '../elements/form-element.ts';
import type { MessageId } from '../translations/languages.ts';
import { renderCard, renderMessages } from '../ui/card.ts';
import { renderSmallButton } from './list-items.ts';

/** The account sections in their order. */
const PARTS: readonly { readonly name: string; readonly title: MessageId; readonly element: () => TemplateResult }[] = [
  { name: 'profile', title: 'profile.title', element: () => html`<poolgate-profile></poolgate-profile>` },
  {
    name: 'password',
    title: 'changePassword.title',
    element: () => html`<poolgate-change-password></poolgate-change-password>`,
  },
  { name: 'authenticator', title: 'mfa.title', element: () => html`<poolgate-mfa></poolgate-mfa>` },
  { name: 'passkeys', title: 'passkeys.title', element: () => html`<poolgate-passkeys></poolgate-passkeys>` },
  { name: 'devices', title: 'devices.title', element: () => html`<poolgate-devices></poolgate-devices>` },
  { name: 'sessions', title: 'sessions.title', element: () => html`<poolgate-sessions></poolgate-sessions>` },
  { name: 'delete', title: 'delete.title', element: () => html`<poolgate-delete-account></poolgate-delete-account>` },
];

/** The whole account, with the step-up dialog if a section needs a recent sign-in. */
export class PoolgateAccount extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    username: { state: true },
    stepUp: { state: true },
    isDeleted: { state: true },
  };

  /** The name with which the user signs in. */
  declare private username: string;
  /** The action that waits for the step-up. */
  declare private stepUp: (() => void) | undefined;
  declare private isDeleted: boolean;

  constructor() {
    super();
    this.username = '';
    this.isDeleted = false;
  }

  protected override connected(): void {
    super.connected();
    void this.loadUsername();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const dialog = this.querySelector('dialog');
    if (dialog !== null && !dialog.open) dialog.showModal();
  }

  protected override render(): TemplateResult {
    const { context } = this;
    const { text } = context.translation;
    if (this.isDeleted)
      return renderCard(context, this.layout, {
        title: text('delete.done'),
        subtitle: text('delete.doneSubtitle'),
        mark: { icon: 'check', look: 'success' },
        body: nothing,
        footer: this.link('signIn', 'signUp.signIn'),
      });
    return html`<div
      data-part="account"
      @poolgate-step-up=${(event: CustomEvent<{ readonly retry: () => void }>) => this.requestStepUp(event)}
      @poolgate-deleted=${() => this.showDeleted()}
      @poolgate-account-changed=${() => void this.loadUsername()}
    >
      <div data-part="account-head">
        <div>
          <h1 data-part="title" tabindex="-1">${text('account.title')}</h1>
          <p data-part="item-detail"><bdi>${this.username}</bdi></p>
        </div>
        ${renderSmallButton(context, { label: 'account.signOut', name: 'sign-out', onClick: () => this.signOut() })}
        ${renderMessages(context)}
      </div>
      <nav data-part="nav" aria-label=${text('account.parts')}>
        <ul>
          ${PARTS.map(({ name, title }) => html`<li><a data-part="nav-link" href="#${name}">${text(title)}</a></li>`)}
        </ul>
      </nav>
      <div data-part="sections">${PARTS.map(({ name, element }) => html`<div id=${name}>${element()}</div>`)}</div>
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
      <div data-part="footer">
        ${renderSmallButton(this.context, { label: 'common.cancel', name: 'cancel-step-up', onClick: close })}
      </div>
    </dialog>`;
  }

  private requestStepUp(event: CustomEvent<{ readonly retry: () => void }>): void {
    event.preventDefault();
    this.stepUp = event.detail.retry;
  }

  private showDeleted(): void {
    this.isDeleted = true;
    this.focusNext();
  }

  private signOut(): void {
    void this.form.run('sign-out', async () => {
      await this.service.logOut();
      this.emit('poolgate-signed-out', { isEnded: false });
    });
  }

  private async loadUsername(): Promise<void> {
    const user = await this.service.profile.show().catch(() => undefined);
    this.username = user?.email ?? user?.username ?? this.username;
  }
}
