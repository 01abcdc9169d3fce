import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatRoute } from '../ui/route.ts';
import { renderEmpty, renderTable } from '../ui/table.ts';
import { renderPageLinks } from './list-pages.ts';

/** The groups of the pool. */
export class GroupListScreen extends ConsoleScreen {
  #page: Answer<'adminGroupList'> | undefined;

  protected override get heading(): string {
    return this.t('groups.title');
  }

  get #call(): ApiCall<'adminGroupList'> {
    return { name: 'adminGroupList', query: Object.fromEntries(this.route.query) };
  }

  protected override get calls(): readonly ApiCall[] {
    return [this.#call];
  }

  protected override async load(): Promise<void> {
    this.#page = await this.call(this.#call);
  }

  protected override renderActions(): TemplateResult | typeof nothing {
    if (!this.may('adminGroupCreate')) return nothing;
    return html`<a data-part="button" data-look="primary" data-name="new" href=${formatRoute('new-group')}>${this.t('groups.new')}</a>`;
  }

  protected override renderContent(): TemplateResult {
    const { groups = [], next_cursor = null } = this.#page ?? {};
    type Group = (typeof groups)[number];
    const columns = [
      {
        label: this.t('groups.name'),
        cell: ({ group_name }: Group) => html`<a href=${formatRoute('group', group_name)}><bdi>${group_name}</bdi></a>`,
      },
      { label: this.t('label.description'), cell: ({ description }: Group) => html`<bdi>${description ?? ''}</bdi>` },
      { label: this.t('label.precedence'), cell: ({ precedence }: Group) => precedence ?? '' },
      { label: this.t('users.created'), cell: ({ created_at }: Group) => this.context.translation.date(created_at) },
    ];
    return html`${groups.length === 0 ? renderEmpty(this.t('groups.none')) : renderTable(this.t('groups.title'), columns, groups)}
    ${renderPageLinks(this.context.translation, this.route, next_cursor)}`;
  }
}
