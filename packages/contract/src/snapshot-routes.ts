import { defineRoutes } from './route-definition.ts';
import { text, time } from './schema-parts.ts';
import { success } from './success-schema.ts';

const name = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
  description: 'Letters, digits, hyphens and underscores.',
} as const;
const params = { type: 'object', required: ['name'], properties: { name } } as const;

/** They replace everything, so their handlers ask for a key with every scope. */
const snapshotRouteDefaults = {
  aliases: [],
  mount: 'routes',
  guard: 'admin',
  scope: 'pool:write',
  limit: 'read',
} as const;

const snapshot = {
  type: 'object',
  required: ['name', 'bytes', 'saved_at'],
  properties: {
    name: text,
    bytes: { type: 'integer' },
    saved_at: time,
  },
} as const;

/** Snapshots of the whole store, in development only. */
export const snapshotRoutes = defineRoutes({
  adminSnapshotList: {
    ...snapshotRouteDefaults,
    method: 'GET',
    path: '/admin/snapshots',
    summary: 'List the snapshots of the store',
    responses: {
      200: {
        description: 'In the order of their names.',
        schema: {
          type: 'object',
          required: ['status', 'message', 'data', 'snapshots'],
          properties: { ...success.properties, snapshots: { type: 'array', items: snapshot } },
        },
      },
    },
    errors: ['feature_disabled'],
  },
  adminSnapshotSave: {
    ...snapshotRouteDefaults,
    method: 'PUT',
    path: '/admin/snapshots/{name}',
    recentConsoleSignIn: true,
    summary: 'Save everything in the store under a name, over a snapshot of that name',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'It was saved.', schema: success } },
    errors: ['feature_disabled'],
  },
  adminSnapshotRestore: {
    ...snapshotRouteDefaults,
    method: 'POST',
    path: '/admin/snapshots/{name}/restore',
    recentConsoleSignIn: true,
    summary: 'Replace everything in the store with a snapshot',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'Every later request uses the restored store.', schema: success } },
    errors: ['feature_disabled', 'not_found', 'invalid_parameter'],
  },
  adminSnapshotDelete: {
    ...snapshotRouteDefaults,
    method: 'DELETE',
    path: '/admin/snapshots/{name}',
    recentConsoleSignIn: true,
    summary: 'Delete a snapshot',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'It was deleted.', schema: success } },
    errors: ['feature_disabled', 'not_found'],
  },
  adminReset: {
    ...snapshotRouteDefaults,
    method: 'POST',
    path: '/admin/reset',
    recentConsoleSignIn: true,
    summary: 'Empty the store and set it up as a first start does, with the same pool id and client id',
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'Every later request uses the new store.', schema: success } },
    errors: ['feature_disabled'],
  },
});
