import { html, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatRoute } from '../ui/route.ts';
import { renderList } from '../ui/table.ts';
import { renderNewLink } from './list-pages.ts';

type Webhooks = Answer<'adminWebhookList'>['webhooks'];

/** The webhooks. */
export class WebhookListScreen extends ConsoleScreen {
  #webhooks: Webhooks = [];

  protected override get heading(): string {
    return this.t('webhooks.title');
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminWebhookList' }];
  }

  protected override async load(): Promise<void> {
    this.#webhooks = (await this.call({ name: 'adminWebhookList' })).webhooks;
  }

  protected override renderActions(): TemplateResult {
    return renderNewLink('new-webhook', this.t('webhooks.new'));
  }

  protected override renderContent(): TemplateResult {
    type Webhook = Webhooks[number];
    const columns = [
      {
        label: this.t('webhooks.url'),
        cell: ({ id, url }: Webhook) => html`<a href=${formatRoute('webhook', id)}><bdi>${url}</bdi></a>`,
      },
      {
        label: this.t('label.eventTypes'),
        cell: ({ events }: Webhook) => (events.length === 0 ? this.t('webhooks.allEvents') : events.join(', ')),
      },
      { label: this.t('label.description'), cell: ({ description }: Webhook) => html`<bdi>${description}</bdi>` },
      { label: this.t('users.created'), cell: ({ created_at }: Webhook) => this.context.translation.date(created_at) },
    ];
    return renderList(this.t('webhooks.title'), columns, this.#webhooks, this.t('webhooks.none'));
  }
}
