import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatRoute } from '../ui/route.ts';
import { renderList } from '../ui/table.ts';
import { renderNewLink, renderPageLinks } from './list-pages.ts';

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
    return renderNewLink('new-group', this.t('groups.new'));
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
    return html`${renderList(this.t('groups.title'), columns, groups, this.t('groups.none'))}
    ${renderPageLinks(this.context.translation, this.route, next_cursor)}`;
  }
}
