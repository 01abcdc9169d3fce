import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/admin-routes.ts';
import type { Translation } from '../translations/catalogue.ts';
import { formatRoute } from '../ui/route.ts';
import { renderBadge, renderTable } from '../ui/table.ts';

type AuditEvent = Answer<'adminAudit'>['events'][number];

const LOOKS = { success: 'good', failure: 'bad', intent: 'plain' } as const;

/** A table of events. Each type and user filters the audit log. */
export function renderEventTable(
  { text, date }: Translation,
  caption: string,
  events: readonly AuditEvent[],
): TemplateResult {
  return renderTable(
    caption,
    [
      {
        label: text('audit.time'),
        cell: ({ timestamp }) => html`<time datetime=${timestamp}>${date(timestamp)}</time>`,
      },
      {
        label: text('audit.event'),
        cell: ({ type }) =>
          html`<a data-name="type" href=${formatRoute('audit', '', { type })}><span data-part="event">${type}</span></a>`,
      },
      {
        label: text('audit.outcome'),
        cell: ({ outcome, count }) =>
          html`${renderBadge(text(`outcome.${outcome}`), LOOKS[outcome])} ${count ? `×${count}` : ''}`,
      },
      { label: text('audit.about'), cell: renderUser },
      {
        label: text('audit.actor'),
        cell: ({ actor }) => html`<span data-part="event">${actor.kind}</span> <bdi>${actor.id ?? ''}</bdi>`,
      },
      {
        label: text('audit.source'),
        cell: ({ source_address }) => html`<bdi data-part="address">${source_address}</bdi>`,
      },
      { label: text('audit.details'), cell: renderDetails },
    ],
    events,
  );
}

function renderUser({ user }: AuditEvent): TemplateResult | typeof nothing {
  if (user === null) return nothing;
  const { username } = user;
  return html`<a href=${formatRoute('user', username)} title=${username}><bdi data-part="address">${shortenId(username)}</bdi></a>`;
}

/** A pool with email addresses gives each user a UUID as the username. Its start is enough to recognize it in a table. */
function shortenId(username: string): string {
  return username.replace(/^([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}$/, '$1…');
}

function renderDetails({ details, client_id, request_id }: AuditEvent): TemplateResult {
  const facts = { ...details, ...(client_id !== null && { client_id }), request_id };
  return html`<details data-part="more">
    <summary>${Object.keys(facts).length}</summary>
    <dl>${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`)}</dl>
  </details>`;
}
