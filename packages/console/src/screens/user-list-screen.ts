import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderField, renderSelect } from '../ui/fields.ts';
import { formatRoute } from '../ui/route.ts';
import { renderEmpty } from '../ui/table.ts';
import { applyFilters, renderNewLink, renderPageLinks } from './list-pages.ts';
import { USER_STATUSES } from './user-status.ts';
import { renderUserTable } from './user-table.ts';

const FILTERS = ['search', 'status', 'group'] as const;

/** The users of the pool: search, filters and pages. */
export class UserListScreen extends ConsoleScreen {
  #page: Answer<'adminUserList'> | undefined;

  protected override get heading(): string {
    return this.t('users.title');
  }

  get #call(): ApiCall<'adminUserList'> {
    return { name: 'adminUserList', query: Object.fromEntries(this.route.query) };
  }

  protected override get calls(): readonly ApiCall[] {
    return [this.#call];
  }

  protected override async load(): Promise<void> {
    this.#page = await this.call(this.#call);
  }

  protected override renderActions(): TemplateResult | typeof nothing {
    if (!this.may('adminUserCreate')) return nothing;
    return renderNewLink('new-user', this.t('users.new'));
  }

  protected override renderContent(): TemplateResult {
    const { users = [], next_cursor = null } = this.#page ?? {};
    const { translation } = this.context;
    return html`${this.#renderFilters()}
    ${users.length === 0 ? this.#renderEmpty(next_cursor) : renderUserTable(translation, this.t('users.title'), users)}
    ${renderPageLinks(translation, this.route, next_cursor)}`;
  }

  #renderFilters(): TemplateResult {
    const { query } = this.route;
    const statuses = USER_STATUSES.map((value) => ({ value, label: this.t(`status.${value}`) }));
    return html`<form data-part="filters" role="search" @submit=${applyFilters('users', FILTERS)}>
      ${renderField({
        name: 'search',
        label: this.t('users.search'),
        type: 'search',
        value: query.get('search') ?? '',
        hint: this.t('users.searchHint'),
        maxLength: 128,
      })}
      ${renderSelect('status', this.t('users.status'), query.get('status') ?? '', [
        { value: '', label: this.t('users.anyStatus') },
        ...statuses,
      ])}
      ${renderField({ name: 'group', label: this.t('users.group'), value: query.get('group') ?? '', maxLength: 128 })}
      <button data-part="button" data-name="apply">${this.t('action.filter')}</button>
    </form>`;
  }

  #renderEmpty(nextCursor: string | null): TemplateResult {
    if (!FILTERS.some((name) => this.route.query.has(name))) return renderEmpty(this.t('users.none'));
    if (nextCursor !== null) return renderEmpty(this.t('users.morePages'));
    return renderEmpty(
      this.t('users.noMatch'),
      html`<a data-part="button" href=${formatRoute('users')}>${this.t('action.clear')}</a>`,
    );
  }
}
