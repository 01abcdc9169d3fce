import { html, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatWayBack } from '../ui/context.ts';
import { readLines, readText, renderField } from '../ui/fields.ts';
import { formatRoute } from '../ui/route.ts';
import { renderShownOnce } from './shown-once.ts';

/** Creates a webhook, and shows its secret once. */
export class NewWebhookScreen extends ConsoleScreen {
  protected override get heading(): string {
    return this.t('webhooks.new');
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminWebhookCreate', body: { url: 'https://example.com/events', events: ['login.failed'] } }];
  }

  protected override async load(): Promise<void> {}

  protected override renderContent(): TemplateResult {
    const create = this.submit(async (form) => {
      const body = {
        url: readText(form, 'url') ?? '',
        events: readLines(form, 'events'),
        description: readText(form, 'description') ?? '',
      };
      const { secret, webhook } = await this.call({ name: 'adminWebhookCreate', body });
      this.notice = html`${renderShownOnce(this.context.translation, this.t('webhooks.secret'), secret)}
        <a href=${formatRoute('webhook', webhook.id)}><bdi>${webhook.url}</bdi></a>`;
    });
    return html`<form data-part="panel" data-kind="form" ?hidden=${this.notice !== undefined} @submit=${create}>
      ${renderField({ name: 'url', label: this.t('webhooks.url'), type: 'url', isRequired: true, maxLength: 2048 })}
      ${renderField({ name: 'events', label: this.t('webhooks.events'), hint: this.t('webhooks.eventsHint'), isLong: true })}
      ${renderField({ name: 'description', label: this.t('webhooks.description'), maxLength: 256 })}
      <div data-part="actions">
        <button data-part="button" data-look="primary" data-name="create" ?disabled=${this.isBusy}>
          ${this.t('action.create')}
        </button>
        <a data-part="button" href=${formatWayBack(this.context, 'webhooks')}>${this.t('action.cancel')}</a>
      </div>
    </form>`;
  }
}
