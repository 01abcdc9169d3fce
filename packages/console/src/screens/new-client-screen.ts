import { html, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatWayBack } from '../ui/context.ts';
import { formatRoute } from '../ui/route.ts';
import { readClientFields, renderClientFields } from './client-form.ts';
import { renderShownOnce } from './shown-once.ts';

/** Creates an application. */
export class NewClientScreen extends ConsoleScreen {
  protected override get heading(): string {
    return this.t('clients.new');
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminClientCreate', body: { client_name: 'shop', generate_secret: true } }];
  }

  protected override async load(): Promise<void> {}

  protected override renderContent(): TemplateResult {
    const { translation } = this.context;
    const create = this.submit(async (form) => {
      const generate_secret = form.has('generate_secret');
      const body = { ...readClientFields(translation, form), generate_secret };
      const { client, client_secret } = await this.call({ name: 'adminClientCreate', body });
      const address = formatRoute('application', client.client_id);
      if (client_secret === undefined) location.hash = address;
      else
        this.notice = html`${renderShownOnce(translation, this.t('clients.newSecret'), client_secret)}
          <a href=${address}><bdi>${client.client_name}</bdi></a>`;
    });
    return html`<form data-part="panel" data-kind="form" ?hidden=${this.notice !== undefined} @submit=${create}>
      ${renderClientFields(translation)}
      <div data-part="field">
        <label data-part="check"
          ><input type="checkbox" name="generate_secret" aria-describedby="secret-hint" /> ${this.t('clients.secret')}</label
        >
        <p data-part="hint" id="secret-hint">${this.t('clients.secretHint')}</p>
      </div>
      <div data-part="actions">
        <button data-part="button" data-look="primary" data-name="create" ?disabled=${this.isBusy}>
          ${this.t('action.create')}
        </button>
        <a data-part="button" href=${formatWayBack(this.context, 'applications')}>${this.t('action.cancel')}</a>
      </div>
    </form>`;
  }
}
