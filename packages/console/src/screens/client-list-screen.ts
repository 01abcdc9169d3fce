import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatRoute } from '../ui/route.ts';
import { renderList } from '../ui/table.ts';
import { renderNewLink, renderPageLinks } from './list-pages.ts';

/** The app clients of the pool. */
export class ClientListScreen extends ConsoleScreen {
  #page: Answer<'adminClientList'> | undefined;

  protected override get heading(): string {
    return this.t('clients.title');
  }

  get #call(): ApiCall<'adminClientList'> {
    return { name: 'adminClientList', query: Object.fromEntries(this.route.query) };
  }

  protected override get calls(): readonly ApiCall[] {
    return [this.#call];
  }

  protected override async load(): Promise<void> {
    this.#page = await this.call(this.#call);
  }

  protected override renderActions(): TemplateResult | typeof nothing {
    if (!this.may('adminClientCreate')) return nothing;
    return renderNewLink('new-application', this.t('clients.new'));
  }

  protected override renderContent(): TemplateResult {
    const { clients = [], next_cursor = null } = this.#page ?? {};
    type Client = (typeof clients)[number];
    const columns = [
      {
        label: this.t('clients.name'),
        cell: ({ client_id, client_name }: Client) =>
          html`<a href=${formatRoute('application', client_id)}><bdi>${client_name}</bdi></a>`,
      },
      { label: this.t('clients.id'), cell: ({ client_id }: Client) => html`<code>${client_id}</code>` },
    ];
    return html`${renderList(this.t('clients.title'), columns, clients, this.t('clients.none'))}
    ${renderPageLinks(this.context.translation, this.route, next_cursor)}`;
  }
}
