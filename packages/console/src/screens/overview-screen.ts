/** The screens of the console: one class for each page, and the forms and tables that several of them show. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import type { Readiness } from '../api/console-client.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderPanel } from '../ui/panel.ts';
import { formatRoute } from '../ui/route.ts';
import { renderBadge, renderEmpty } from '../ui/table.ts';
import { renderEventTable } from './event-table.ts';

type Events = Answer<'adminAudit'>['events'];

const LATEST: ApiCall<'adminAudit'> = { name: 'adminAudit', query: { limit: '60' } };
const MOST_SHOWN = 8;

/** The first screen: health, the latest events, and what the session may do. */
export class OverviewScreen extends ConsoleScreen {
  #readiness: Readiness | undefined;
  #events: Events = [];

  protected override get heading(): string {
    return this.t('overview.title');
  }

  protected override get calls(): readonly ApiCall[] {
    return this.may('adminAudit') ? [LATEST] : [];
  }

  protected override async load(): Promise<void> {
    const [readiness, page] = await Promise.all([
      this.context.client.readiness(),
      this.may('adminAudit') ? this.call(LATEST) : undefined,
    ]);
    this.#readiness = readiness;
    this.#events = page?.events ?? [];
  }

  protected override renderContent(): TemplateResult {
    return html`${this.#renderHealth()} ${this.may('adminAudit') ? this.#renderEvents() : nothing}
    ${this.#renderAccess()}`;
  }

  #renderHealth(): TemplateResult {
    const { isReady = false, checks = {} } = this.#readiness ?? {};
    return renderPanel(
      'health',
      this.t('overview.health'),
      html`<p>${this.t(isReady ? 'overview.ready' : 'overview.notReady')}</p>
      <dl data-part="facts">
        ${Object.entries(checks).map(
          ([name, state]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>
                ${state === 'ok' ? renderBadge(this.t('overview.holds'), 'good') : renderBadge(this.t('overview.fails'), 'bad')}
              </dd>
            </div>`,
        )}
      </dl>`,
    );
  }

  #renderEvents(): TemplateResult {
    const failures = this.#events.filter(({ outcome }) => outcome === 'failure').slice(0, MOST_SHOWN);
    const { translation } = this.context;
    return html`${renderPanel(
      'failures',
      this.t('overview.failures'),
      failures.length === 0
        ? renderEmpty(this.t('overview.noFailures'))
        : renderEventTable(translation, this.t('overview.failures'), failures),
    )}
    ${renderPanel(
      'events',
      html`<a href=${formatRoute('audit')}>${this.t('overview.events')}</a>`,
      this.#events.length === 0
        ? renderEmpty(this.t('audit.none'))
        : renderEventTable(translation, this.t('overview.events'), this.#events.slice(0, MOST_SHOWN)),
    )}`;
  }

  #renderAccess(): TemplateResult {
    const { scopes, ends_at } = this.context.session;
    return renderPanel(
      'access',
      this.t('overview.access'),
      html`<p>${this.t('overview.accessText', { time: this.context.translation.date(ends_at) })}</p>
      <ul data-part="badges">
        ${scopes.map((scope) => html`<li>${renderBadge(scope)}</li>`)}
      </ul>`,
    );
  }
}
