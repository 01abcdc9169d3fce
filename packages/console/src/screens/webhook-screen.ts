import { html, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderDeleteButton, renderPanel } from '../ui/panel.ts';
import { renderEmpty, renderList } from '../ui/table.ts';

type Webhook = Answer<'adminWebhookList'>['webhooks'][number];
type Deliveries = Answer<'adminWebhookDead'>['deliveries'];

/** One webhook: a test, its failed deliveries, and its deletion. */
export class WebhookScreen extends ConsoleScreen {
  #webhook: Webhook | undefined;
  #deliveries: Deliveries = [];

  protected override get heading(): string {
    return this.#webhook?.url ?? this.t('webhooks.title');
  }

  get #params(): { readonly id: string } {
    return { id: this.route.id };
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminWebhookList' }, { name: 'adminWebhookDead', params: this.#params }];
  }

  protected override async load(): Promise<void> {
    const { webhooks } = await this.call({ name: 'adminWebhookList' });
    this.#webhook = webhooks.find(({ id }) => id === this.route.id);
    if (this.#webhook === undefined) return;
    this.#deliveries = (await this.call({ name: 'adminWebhookDead', params: this.#params })).deliveries;
  }

  protected override renderContent(): TemplateResult {
    if (this.#webhook === undefined) return renderEmpty(this.t('webhooks.gone'));
    const { events, description, created_at } = this.#webhook;
    return html`${renderPanel(
      'settings',
      this.t('clients.settings'),
      html`<dl data-part="facts">
          <div><dt>${this.t('label.eventTypes')}</dt><dd>${events.length === 0 ? this.t('webhooks.allEvents') : events.join(', ')}</dd></div>
          <div><dt>${this.t('label.description')}</dt><dd><bdi>${description}</bdi></dd></div>
          <div><dt>${this.t('users.created')}</dt><dd>${this.context.translation.date(created_at)}</dd></div>
        </dl>
        <form data-part="actions" @submit=${this.#test}>
          <button data-part="button" data-name="test" ?disabled=${this.isBusy}>${this.t('webhooks.test')}</button>
        </form>`,
    )}
    ${this.#renderDeliveries()} ${renderDeleteButton(this.t('webhooks.delete'), this.#remove)}`;
  }

  readonly #test = this.submit(async () => {
    const { delivered, failure } = await this.call({ name: 'adminWebhookTest', params: this.#params });
    this.notice = delivered
      ? this.t('webhooks.delivered')
      : this.t('webhooks.notDelivered', { failure: failure ?? '' });
  });

  readonly #remove = (): void =>
    this.ask({
      title: this.t('webhooks.delete'),
      text: this.t('webhooks.deleteText'),
      call: { name: 'adminWebhookDelete', params: this.#params },
      isDanger: true,
      done: this.t('webhooks.deleted'),
      leaveTo: 'webhooks',
    });

  #renderDeliveries(): TemplateResult {
    type Delivery = Deliveries[number];
    const { translation } = this.context;
    const columns = [
      { label: this.t('audit.event'), cell: ({ event }: Delivery) => event.type },
      { label: this.t('webhooks.tries'), cell: ({ tries }: Delivery) => tries },
      { label: this.t('webhooks.failure'), cell: ({ failure }: Delivery) => html`<bdi>${failure ?? ''}</bdi>` },
      { label: this.t('webhooks.givenUp'), cell: ({ given_up_at }: Delivery) => translation.date(given_up_at) },
    ];
    const list = renderList(this.t('webhooks.dead'), columns, this.#deliveries, this.t('webhooks.noDead'));
    return renderPanel('dead', this.t('webhooks.dead'), list);
  }
}
