import { html, type TemplateResult } from 'lit';
import type { Answer } from '../api/admin-routes.ts';
import type { Translation } from '../translations/catalogue.ts';
import { formatRoute } from '../ui/route.ts';
import { renderTable } from '../ui/table.ts';
import { renderEnabled, renderStatus } from './user-status.ts';

type ListedUser = Answer<'adminUserList'>['users'][number];

/** A table of users. */
export function renderUserTable(
  translation: Translation,
  caption: string,
  users: readonly ListedUser[],
): TemplateResult {
  const { text, date } = translation;
  return renderTable(
    caption,
    [
      {
        label: text('users.user'),
        cell: ({ username, email }) =>
          html`<a href=${formatRoute('user', username)}><bdi>${email === null || email === '' ? username : email}</bdi></a>`,
      },
      {
        label: text('users.name'),
        cell: ({ attributes }) => html`<bdi>${attributes.name ?? attributes.given_name ?? ''}</bdi>`,
      },
      { label: text('users.status'), cell: ({ status }) => renderStatus(translation, status) },
      { label: text('users.enabled'), cell: ({ enabled }) => renderEnabled(translation, enabled) },
      { label: text('users.created'), cell: ({ created_at }) => date(created_at) },
    ],
    users,
  );
}
