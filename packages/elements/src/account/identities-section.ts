import type { ConnectedIdentity, IdentityProviderOffer, SessionIdentities } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { formatProviderName } from '../ui/provider-name.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderBadge, renderListItem, renderQuestion, renderSmallButton } from './list-items.ts';

interface IdentityData {
  readonly identities: readonly ConnectedIdentity[];
  readonly providers: readonly IdentityProviderOffer[];
}

/** How the attempt to connect an account ended, as the address says after the user came back. */
const RESULTS: Readonly<Record<string, MessageId>> = {
  connected: 'identities.connected',
  declined: 'identities.declined',
  failed: 'identities.failed',
  in_use: 'identities.in_use',
  not_recent: 'identities.not_recent',
  too_many: 'identities.too_many',
};

/** The accounts at other identity providers with which the user can sign in. */
export class PoolgateIdentities extends PoolgateSection<IdentityData> {
  protected readonly heading = { title: 'identities.title', subtitle: 'identities.subtitle' } as const;

  protected override connected(): void {
    super.connected();
    this.showResult();
  }

  protected load(): Promise<IdentityData> {
    return this.service.identities.list();
  }

  protected show({ identities, providers }: IdentityData): SectionContent {
    const { context, service } = this;
    const list = html`<ul data-part="list">${identities.map((identity) => this.line(identity))}</ul>`;
    const offers = service.mode === 'session' ? providers : [];
    const buttons = offers.map((offer) =>
      renderSmallButton(context, {
        label: 'identities.connect',
        values: { name: formatProviderName(offer) },
        name: `connect ${offer.name}`,
        onClick: () => this.connect(`connect ${offer.name}`, offer),
      }),
    );
    return {
      ...this.heading,
      body: html`${identities.length === 0 ? this.text('identities.none') : list}
        ${buttons.length === 0 ? nothing : html`<div data-part="actions">${buttons}</div>`}`,
    };
  }

  private line(identity: ConnectedIdentity): TemplateResult {
    const { context } = this;
    const { text, date } = context.translation;
    const { id, provider, type, connected_at: connectedAt, primary } = identity;
    const nameId = context.id(`name-${id}`);
    const remove = renderSmallButton(context, {
      label: 'identities.disconnect',
      name: `disconnect ${id}`,
      describedBy: nameId,
      onClick: () => this.openForm(id),
    });
    const name = formatProviderName({ name: provider, type });
    return renderListItem({
      id: nameId,
      name,
      badges: primary ? renderBadge(context, 'identities.first') : nothing,
      detail: text('identities.connectedOn', { date: date(connectedAt) }),
      actions: primary || this.open === id ? nothing : remove,
      form: this.open === id ? this.question(id, name) : nothing,
    });
  }

  private question(id: string, name: string): TemplateResult {
    return renderQuestion(this.context, {
      text: this.context.translation.text('identities.question', { name }),
      label: 'identities.disconnect',
      cancel: () => this.openForm(''),
      submit: (event) =>
        void this.form.submit(event, {}, () =>
          this.applyChange('submit', () => this.service.identities.disconnect(id), 'identities.removed'),
        ),
    });
  }

  /** The provider sends the browser back to this page. */
  private connect(button: string, { name }: IdentityProviderOffer): void {
    const identities = this.service.identities as SessionIdentities;
    void this.change(button, async () => {
      location.assign(await identities.connect(name, location.href));
    });
  }

  /** Shown once: a reload shows the page without it. */
  private showResult(): void {
    const address = new URL(location.href);
    const result = RESULTS[address.searchParams.get('provider_result') ?? ''];
    if (result === undefined) return;
    address.searchParams.delete('provider_result');
    history.replaceState(history.state, '', address);
    this.form.notify({ id: result });
  }
}
