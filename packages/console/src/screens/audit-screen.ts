import { html, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderField } from '../ui/fields.ts';
import { formatRoute } from '../ui/route.ts';
import { renderEmpty } from '../ui/table.ts';
import { renderEventTable } from './event-table.ts';
import { applyFilters, renderPageLinks } from './list-pages.ts';

const FILTERS = ['user', 'type'] as const;

/** The audit log with filters. */
export class AuditScreen extends ConsoleScreen {
  #page: Answer<'adminAudit'> | undefined;

  protected override get heading(): string {
    return this.t('audit.title');
  }

  get #call(): ApiCall<'adminAudit'> {
    return { name: 'adminAudit', query: Object.fromEntries(this.route.query) };
  }

  protected override get calls(): readonly ApiCall[] {
    return [this.#call];
  }

  protected override async load(): Promise<void> {
    this.#page = await this.call(this.#call);
  }

  protected override renderContent(): TemplateResult {
    const { events = [], next_cursor = null } = this.#page ?? {};
    return html`${this.#renderFilters()}
    ${
      events.length === 0
        ? this.#renderEmpty()
        : renderEventTable(this.context.translation, this.t('audit.title'), events)
    }
    ${renderPageLinks(this.context.translation, this.route, next_cursor)}`;
  }

  #renderFilters(): TemplateResult {
    const { query } = this.route;
    return html`<form data-part="filters" role="search" @submit=${applyFilters('audit', FILTERS)}>
      ${renderField({ name: 'user', label: this.t('audit.user'), value: query.get('user') ?? '', hint: this.t('audit.userHint') })}
      ${renderField({ name: 'type', label: this.t('audit.type'), value: query.get('type') ?? '', hint: this.t('audit.typeHint') })}
      <button data-part="button" data-name="apply">${this.t('action.filter')}</button>
    </form>`;
  }

  #renderEmpty(): TemplateResult {
    if (!FILTERS.some((name) => this.route.query.has(name))) return renderEmpty(this.t('audit.none'));
    return renderEmpty(
      this.t('audit.noMatch'),
      html`<a data-part="button" href=${formatRoute('audit')}>${this.t('action.clear')}</a>`,
    );
  }
}
