import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, openApiDocument } from './openapi.ts';

const document = openApiDocument({ apiPrefix: '/api/cognito' });

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Json }>>;
  readonly requestBody?: { readonly content: Json };
  readonly security: readonly Readonly<Record<string, Json>>[];
}

interface Content {
  readonly 'application/json': { readonly schema: { readonly required?: readonly string[] } };
}

const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>);
const operations = paths.flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

const find = (path: string, method: string): Operation | undefined =>
  operations.find((each) => each.path === path && each.method === method)?.operation;

test('the document is the same each time', () => {
  assert.equal(JSON.stringify(openApiDocument({ apiPrefix: '/api/cognito' })), JSON.stringify(document));
});

test('it has the members that OpenAPI 3.1 requires', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  const info = document.info as unknown as Record<string, string>;
  assert.ok(info.title && info.version);
  assert.ok(operations.length >= 18);
});

test('every operation has an id of its own, responses with descriptions, and a success', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, operation } of operations) {
    const responses = Object.entries(operation.responses);
    assert.ok(
      responses.every(([status, { description }]) => /^[2-5]\d\d$/.test(status) && description !== ''),
      path,
    );
    assert.ok(
      responses.some(([status]) => status.startsWith('2')),
      path,
    );
  }
});

test('path parameters are declared where the path has them, and required', () => {
  for (const { path, operation } of operations) {
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      declared.map(({ name }) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
    );
    assert.ok(declared.every(({ required }) => required));
  }
});

test('only methods that OpenAPI knows are used, and GET has no body', () => {
  for (const { method, operation } of operations) {
    assert.match(method, /^(?:get|put|post|delete|patch)$/);
    if (method === 'get') assert.equal(operation.requestBody, undefined);
  }
});

test('what a GET address takes in its query stands there, and in the body of its POST twin', () => {
  const [get, post] = ['get', 'post'].map((method) => find('/login/passkey/challenge', method));
  assert.deepEqual(
    get?.parameters?.map((parameter) => [parameter.name, parameter.in, parameter.required]),
    [['username', 'query', true]],
  );
  assert.ok(post?.requestBody && post.parameters === undefined);
});

test('a token in the body stands in for the header, but not where there is no body', () => {
  assert.deepEqual(find('/passkey/start', 'post')?.security, [{ accessToken: [] }, {}]);
  assert.deepEqual(find('/passkey/start', 'get')?.security, [{ accessToken: [] }]);
  assert.deepEqual(find('/passkey', 'get')?.security, [{ accessToken: [] }]);
});

test('a parameter that a path leaves out is a required member of its body', () => {
  const schema = (path: string) => {
    const content = find(path, 'delete')?.requestBody?.content as Content | undefined;
    return content?.['application/json'].schema;
  };
  assert.deepEqual(schema('/device')?.required, ['device_key']);
  assert.equal(schema('/device/{device_key}')?.required, undefined);
});

test('every security requirement and reference names something that is there', () => {
  const components = document.components as unknown as Record<string, Record<string, Json>>;
  for (const { operation } of operations) {
    for (const requirement of operation.security) {
      for (const name of Object.keys(requirement)) assert.ok(components.securitySchemes?.[name], name);
    }
  }
  const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
  assert.ok(references.length > 0);
  assert.deepEqual([...new Set(references)], ['"$ref":"#/components/schemas/Problem"']);
  assert.ok(components.schemas?.Problem);
});

test('it is plain JSON', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
});
