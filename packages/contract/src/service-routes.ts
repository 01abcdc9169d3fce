import { defineRoutes } from './route-definition.ts';
import { outboxEntry } from './service-response-schemas.ts';

const word = { type: 'string', enum: ['ok'] } as const;
const state = { type: 'object', required: ['status'], properties: { status: word } } as const;

const messageId = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' } as const;
const partState = { type: 'string', enum: ['ok', 'failing'] } as const;
const readiness = {
  type: 'object',
  required: ['status', 'checks'],
  properties: {
    status: word,
    checks: {
      type: 'object',
      properties: { store: partState, pool: partState, keys: partState, clock: partState, senders: partState },
    },
  },
} as const;

/** Routes about the service itself. */
export const serviceRoutes = defineRoutes({
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    summary: 'Get the OpenAPI document',
    responses: {
      200: {
        description: 'The OpenAPI 3.1 document.',
        schema: { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } },
      },
    },
    errors: [],
  },
  docs: {
    method: 'GET',
    path: '/docs/api',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    summary: 'Show the API reference as a page',
    responses: {
      200: { description: 'The page.', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    },
    errors: [],
  },
  errorPage: {
    method: 'GET',
    path: '/errors/{code}',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    summary: 'Show the page that explains an error code',
    params: {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[a-z_]+$' } },
    },
    responses: {
      200: { description: 'The page.', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    },
    errors: ['not_found'],
  },
  health: {
    method: 'GET',
    path: '/healthz',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'none',
    summary: 'Check whether the process responds',
    responses: { 200: { description: 'It does.', schema: state } },
    errors: [],
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'none',
    summary: 'Check whether users can sign in',
    responses: {
      200: { description: 'It can. A part that is failing here is one that it can serve without.', schema: readiness },
    },
    errors: ['unavailable'],
  },
  devOutbox: {
    method: 'GET',
    path: '/dev/outbox',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    loopbackOnly: true,
    summary: 'List messages in the development outbox',
    query: {
      type: 'object',
      properties: {
        to: { type: 'string', minLength: 1, maxLength: 128, description: 'Only messages to this address.' },
      },
    },
    responses: { 200: { description: 'Newest first.', schema: { type: 'array', items: outboxEntry } } },
    errors: ['forbidden'],
  },
  devMail: {
    method: 'GET',
    path: '/dev/mail',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    loopbackOnly: true,
    summary: 'Show the development outbox as a page',
    query: {
      type: 'object',
      properties: {
        to: { type: 'string', maxLength: 128, description: 'Only messages to this address.' },
        id: { ...messageId, description: 'The message to show. Default: the newest.' },
      },
    },
    responses: {
      200: { description: 'The page.', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    },
    errors: ['forbidden'],
  },
  devMailBody: {
    method: 'GET',
    path: '/dev/mail/{id}',
    aliases: [],
    mount: 'root',
    guard: 'public',
    limit: 'read',
    loopbackOnly: true,
    summary: 'Get the HTML of an email in the development outbox, which runs and loads nothing',
    params: { type: 'object', required: ['id'], properties: { id: messageId } },
    responses: {
      200: { description: 'The HTML.', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    },
    errors: ['forbidden'],
  },
});
