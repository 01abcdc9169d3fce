import { eventList } from './admin-response-schemas.ts';
import { cursor, eventType, pageLimit, username } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';

/** Routes of the audit log. */
export const adminAuditRoutes = defineRoutes({
  adminAudit: {
    method: 'GET',
    path: '/admin/audit',
    aliases: [],
    mount: 'routes',
    guard: 'admin',
    namesPool: true,
    scope: 'audit:read',
    limit: 'read',
    summary: 'List audit log events, newest first, twenty per page by default',
    query: {
      type: 'object',
      properties: {
        user: { ...username, description: 'Only events about this user. For a deleted user, the sub.' },
        type: { ...eventType, description: 'Only events of this type.' },
        limit: pageLimit,
        cursor,
      },
    },
    responses: { 200: { description: 'A page of events.', schema: eventList } },
    errors: ['user_not_found'],
  },
});
