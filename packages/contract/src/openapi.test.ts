import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkSchema } from './check-schema.ts';
import { createOpenApiDocument, type Json } from './openapi.ts';
import { createExample, createRequestExample } from './openapi-examples.ts';
import type { Route } from './route-definition.ts';
import { ROUTES, type RouteName } from './route-table.ts';

const document = createOpenApiDocument({ apiPrefix: '/api/cognito', webPrefix: '/cognito' });

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Json }>>;
  readonly requestBody?: { readonly content: Json };
  readonly security: readonly Readonly<Record<string, Json>>[];
}

interface Content {
  readonly 'application/json': { readonly schema: { readonly $ref: string } };
}

interface Named {
  readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>>;
}

const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>);
const operations = paths.flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

const find = (path: string, method: string): Operation | undefined =>
  operations.find((each) => each.path === path && each.method === method)?.operation;

test('the routes have the published statuses, lengths, errors and examples', async () => {
  const published = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  assert.equal(`${JSON.stringify(document, null, 2)}\n`, published);
});

test('has the members that OpenAPI 3.1 requires', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  const info = document.info as unknown as Record<string, string>;
  assert.ok(info.title && info.version);
  assert.ok(operations.length >= 18);
});

test('gives every operation its own id, described responses and a success response', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, operation } of operations) {
    const responses = Object.entries(operation.responses);
    assert.ok(
      responses.every(([status, { description }]) => /^[2-5]\d\d$/.test(status) && description !== ''),
      path,
    );
    assert.ok(
      responses.some(([status]) => /^[23]/.test(status)),
      path,
    );
  }
});

test('declares path parameters as required wherever the path has them', () => {
  for (const { path, operation } of operations) {
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      declared.map(({ name }) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
    );
    assert.ok(declared.every(({ required }) => required));
  }
});

test('uses only methods that OpenAPI knows, and GET without a body', () => {
  for (const { method, operation } of operations) {
    assert.match(method, /^(?:get|put|post|delete|patch)$/);
    if (method === 'get') assert.equal(operation.requestBody, undefined);
  }
});

test('lists the inputs of a GET address in its query, and in the body of its POST counterpart', () => {
  const [get, post] = ['get', 'post'].map((method) => find('/login/passkey/challenge', method));
  assert.deepEqual(
    get?.parameters?.map((parameter) => [parameter.name, parameter.in, parameter.required]),
    [['username', 'query', true]],
  );
  assert.ok(post?.requestBody && post.parameters === undefined);
});

test('lets a token in the body replace the header, except where there is no body', () => {
  const [inHeader, inCookie] = [{ accessToken: [] }, { browserSession: [] }];
  assert.deepEqual(find('/passkey/start', 'post')?.security, [inHeader, inCookie, {}]);
  assert.deepEqual(find('/passkey/start', 'get')?.security, [inHeader], 'browsers have no GET that does something');
  assert.deepEqual(find('/passkey', 'get')?.security, [inHeader, inCookie]);
});

test('requires a CSRF token for every change under the browser session prefix, and never an access token', () => {
  const found = operations.filter(({ path }) => path.startsWith('/cognito/') && path !== '/cognito/not-me');
  assert.ok(found.length >= 8);
  for (const { path, method, operation } of found) {
    assert.ok(!JSON.stringify(operation.security).includes('accessToken'), path);
    const isAsked = operation.parameters?.some(({ name, required }) => name === 'X-CSRF-Token' && required) ?? false;
    assert.equal(isAsked, method !== 'get', path);
  }
});

test('requires a parameter in the body if the path omits it', () => {
  const schema = (path: string) => {
    const content = find(path, 'delete')?.requestBody?.content as Content | undefined;
    const name = content?.['application/json'].schema.$ref.split('/').at(-1) ?? '';
    return (document.components as unknown as Named).schemas[name];
  };
  assert.deepEqual(schema('/device')?.required, ['device_key']);
  assert.equal(schema('/device/{device_key}')?.required, undefined);
});

test('defines everything that security requirements and references name', () => {
  const components = document.components as unknown as Record<string, Record<string, Json>>;
  for (const { operation } of operations) {
    for (const requirement of operation.security) {
      for (const name of Object.keys(requirement)) assert.ok(components.securitySchemes?.[name], name);
    }
  }
  const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
  assert.ok(references.length > 0);
  for (const reference of references) {
    const [, name = ''] = /schemas\/(\w+)"/.exec(reference) ?? [];
    assert.ok(components.schemas?.[name], reference);
  }
  const named = new Set(references.map((reference) => reference.slice(reference.lastIndexOf('/') + 1, -1)));
  assert.deepEqual(
    Object.keys(components.schemas ?? {}).filter((name) => !named.has(name)),
    [],
  );
});

test('puts every operation under one described tag', () => {
  const tags = (document.tags as readonly { name: string; description: string }[]).map(({ name }) => name);
  for (const { path, operation } of operations) {
    assert.equal(operation.tags.length, 1, path);
    assert.ok(tags.includes(operation.tags[0] ?? ''), path);
  }
});

test('gives every body an example, and every example matches its schema', () => {
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    if (route.body)
      assert.deepEqual(checkSchema(route.body, createRequestExample(name as RouteName, route.body)), [], name);
    for (const { schema, contentType } of Object.values(route.responses)) {
      if (contentType === undefined) assert.deepEqual(checkSchema(schema, createExample(schema)), [], name);
    }
  }
  for (const { path, operation } of operations) {
    const content = operation.requestBody?.content as { 'application/json': { example?: Json } } | undefined;
    if (content) assert.notEqual(content['application/json'].example, undefined, path);
  }
});

test('is plain JSON', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
});
