import { ERRORS, type ErrorCode } from './error-codes.ts';
import { NAMED_SCHEMAS, toComponentName } from './named-schemas.ts';
import { createExample, createRequestExample } from './openapi-examples.ts';
import { type Address, NO_BODY, type ResponseDefinition, type Route } from './route-definition.ts';
import {
  type AnyRouteName,
  CONSOLE_ROUTES,
  type ConsoleRouteName,
  findReadRoute,
  findWebRoutePrefix,
  hasEntityTag,
  isUnderConsolePrefix,
  isUnderWebPrefix,
  listAddresses,
  listErrorCodes,
  listQueryMembers,
  ROUTE_FAMILIES,
  ROUTES,
  type RouteName,
  WEB_ROUTES,
  type WebRouteName,
} from './route-table.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** The JSON values that the document uses. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The version of the routes. Changes within a major version are additive. */
export const CONTRACT_VERSION = '2.0.6';

/** The parts of the document that code reads by type. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: Json;
}

/** Facts about the service that the route table does not contain. */
export interface OpenApiInfo {
  /** The prefix under which the routes are available in addition to their short paths. */
  readonly apiPrefix: string;
  /** The prefix of the routes for browsers with a session cookie. */
  readonly webPrefix: string;
}

const SECURITY: Readonly<Record<Route['guard'], readonly Json[]>> = {
  public: [],
  user: [{ accessToken: [] }],
  'user-or-session': [{ accessToken: [] }, {}],
  admin: [{ adminKey: [] }, { signatureV4: [] }],
  operator: [{ adminKey: [] }, { signatureV4: [] }, { accessToken: [] }],
};

const WITH_SESSION: readonly Json[] = [{ browserSession: [] }];

const SECURITY_SCHEMES: Json = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "A user's access token." },
  adminKey: { type: 'http', scheme: 'bearer', description: 'An admin key: pg_<id>_<secret>.' },
  browserSession: { type: 'apiKey', in: 'cookie', name: '__Host-poolgate', description: 'The session of a browser.' },
  signatureV4: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'AWS Signature Version 4, service "poolgate", with an admin key as access key.',
  },
};

/**
 * Creates the OpenAPI 3.1 document of the whole service. The same input always gives the same bytes.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function createOpenApiDocument(info: OpenApiInfo): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  const schemas = new Components();
  const add = (name: AnyRouteName, route: Route, prefix: string): void => {
    listAddresses(route).forEach((address, index) => {
      const path = `${prefix}${address.path}`;
      const item = paths[path] ?? {};
      paths[path] = item;
      const operationId = index === 0 ? name : `${name}Alias${index}`;
      item[address.method.toLowerCase()] = {
        operationId,
        ...createOperation({ name, route, operationId, schemas }, address, info),
      };
    });
  };
  for (const [name, route] of Object.entries<Route>(ROUTES) as [RouteName, Route][]) add(name, route, '');
  for (const [name, route] of Object.entries<Route>(WEB_ROUTES) as [WebRouteName, Route][]) {
    add(name, route, findWebRoutePrefix(route, info.webPrefix));
  }
  for (const [name, route] of Object.entries<Route>(CONSOLE_ROUTES) as [ConsoleRouteName, Route][]) {
    add(name, route, findWebRoutePrefix(route, info.webPrefix));
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Poolgate',
      version: CONTRACT_VERSION,
      description: 'An authentication gateway: SRP login, trusted devices, MFA, passkeys and administration.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: ROUTE_FAMILIES.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas: schemas.all(), securitySchemes: SECURITY_SCHEMES },
  };
}

/** The names of the parameters in a path. */
export function listPathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

interface DescribedRoute {
  readonly name: AnyRouteName;
  readonly route: Route;
  readonly operationId: string;
  readonly schemas: Components;
}

function createOperation(
  described: DescribedRoute,
  address: Address,
  info: OpenApiInfo,
): { readonly [name: string]: Json } {
  const { name, route } = described;
  const body = findBodySchema(route, address);
  return {
    tags: listTags(name),
    summary: route.summary,
    security: listSecurity(route, address),
    ...createDescription(route),
    ...createServers(route, address, info),
    ...createParameters(route, address),
    ...(body === undefined ? {} : { requestBody: createRequestBody(described, body) }),
    responses: { ...createSuccessResponses(described), ...createErrorResponses(described) },
  };
}

/** Under the browser session prefix, the session cookie replaces the access token. */
function listSecurity(route: Route, address: Address): readonly Json[] {
  const { guard, mount, tokenInBody } = route;
  const withSession = guard.includes('user') || guard === 'operator' ? WITH_SESSION : [];
  if (mount === 'web') return withSession;
  return [
    ...SECURITY[guard],
    ...(isUnderWebPrefix(route, address) ? withSession : []),
    ...(tokenInBody && address.method !== 'GET' ? [{}] : []),
  ];
}

function createServers(route: Route, address: Address, info: OpenApiInfo): { readonly servers?: readonly Json[] } {
  if (route.mount !== 'routes') return {};
  const web = isUnderWebPrefix(route, address) ? [info.webPrefix] : [];
  const console = isUnderConsolePrefix(route) ? [`${info.webPrefix}/console/api`] : [];
  return { servers: ['/', info.apiPrefix, ...web, ...console].map((url) => ({ url })) };
}

function createDescription({ scope, recentLogin }: Route): { readonly description?: string } {
  const sentences = [
    ...(scope === undefined ? [] : [`The admin key needs the scope ${scope}.`]),
    ...(recentLogin ? ["The user's login must be recent."] : []),
  ];
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

/** GET has no body in OpenAPI. A parameter that the path omits is a member of the body. */
function findBodySchema({ params, body }: Route, { method, path }: Address): ObjectSchema | undefined {
  if (method === 'GET' || body === undefined) return undefined;
  const inPath = listPathParameters(path);
  const moved = Object.entries(params?.properties ?? {}).filter(([name]) => !inPath.includes(name));
  if (moved.length === 0) return body;
  return {
    ...body,
    required: [...moved.map(([name]) => name), ...(body.required ?? [])],
    properties: { ...Object.fromEntries(moved), ...body.properties },
  };
}

function createParameters(route: Route, { method, path }: Address): { readonly [name: string]: Json } {
  const inPath = listPathParameters(path);
  const list = [
    ...createParametersIn('path', route.params).filter(({ name }) => inPath.includes(name)),
    ...createParametersIn('query', listQueryMembers(route)),
    ...(route.bodyOnGet && method === 'GET' ? createParametersIn('query', route.body) : []),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(findReadRoute(route) === undefined ? [] : [IF_MATCH]),
    ...(route.mount === 'web' && method !== 'GET' ? [CSRF_TOKEN] : []),
  ];
  return list.length === 0 ? {} : { parameters: list };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key and body gets the answer of the first one, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
} as const;

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the response that the change is based on. If the resource has changed since then, nothing is changed and the response is 412.',
  schema: { type: 'string', minLength: 1, maxLength: 1024 },
} as const;

const ENTITY_TAG = {
  ETag: { description: 'The version of the resource, for If-Match.', schema: { type: 'string' } },
} as const;

const CSRF_TOKEN = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: true,
  description: 'The csrf_token of the session. Every route under this prefix asks for it where it is no GET.',
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\w-]+$' },
} as const;

function createParametersIn(place: 'path' | 'query', schema: ObjectSchema | undefined) {
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required ?? []).includes(name),
    schema: createJsonContent(member),
  }));
}

function listTags(name: AnyRouteName): readonly string[] {
  return ROUTE_FAMILIES.filter(({ routes }) => name in routes).map((family) => family.name);
}

function createRequestBody({ name, operationId, schemas }: DescribedRoute, body: ObjectSchema): Json {
  const schema = schemas.refer(body, `${toComponentName(operationId)}Request`);
  const content = { schema, example: createRequestExample(name, body) };
  return { required: (body.required ?? []).length > 0, content: { 'application/json': content } };
}

function createSuccessResponses({ route, name, schemas }: DescribedRoute): { readonly [status: string]: Json } {
  const rows = Object.entries<ResponseDefinition>(route.responses).map(([status, row]) => [
    status,
    {
      description: row.description,
      ...(hasEntityTag(route) ? { headers: ENTITY_TAG } : {}),
      ...(row.schema === NO_BODY ? {} : { content: createContent(row, schemas, name) }),
    },
  ]);
  return Object.fromEntries(rows);
}

function createContent(row: ResponseDefinition, schemas: Components, name: AnyRouteName): Json {
  const schema = schemas.refer(row.schema, `${toComponentName(name)}Response`);
  const example = isJson(row) ? { example: createExample(row.schema) } : {};
  return { [row.contentType ?? 'application/json']: { schema, ...example } };
}

/** HTML pages have no example, because they are for people. */
function isJson({ contentType, schema }: ResponseDefinition): boolean {
  return contentType === undefined && !('type' in schema && schema.type === 'string');
}

function createErrorResponses({ route }: DescribedRoute): { readonly [status: string]: Json } {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of listErrorCodes(route)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const rows = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `${code}: ${ERRORS[code].title}.`).join(' '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries(rows);
}

/** The named schemas of the document: shared schemas, and the objects of requests and responses. */
class Components {
  readonly #names = new Map<Schema, string>([...NAMED_SCHEMAS].map(([name, schema]) => [schema, name]));

  /** Returns a reference to a schema. An object without a name gets the given one. */
  refer(schema: Schema, name: string): Json {
    if (!this.#names.has(schema) && 'properties' in schema) this.#names.set(schema, name);
    return this.#inner(schema);
  }

  all(): Readonly<Record<string, Json>> {
    return Object.fromEntries(Array.from(this.#names, ([schema, name]) => [name, this.#outer(schema)]));
  }

  #inner(schema: Schema): Json {
    const name = this.#names.get(schema);
    return name === undefined ? this.#outer(schema) : { $ref: `#/components/schemas/${name}` };
  }

  #outer(schema: Schema): Json {
    if ('anyOf' in schema)
      return { ...createJsonContent(schema), anyOf: schema.anyOf.map((form) => this.#inner(form)) };
    if (schema.type === 'array') return { ...createJsonContent(schema), items: this.#inner(schema.items) };
    if (schema.type !== 'object') return createJsonContent(schema);
    if (!('properties' in schema))
      return { ...createJsonContent(schema), additionalProperties: this.#inner(schema.additionalProperties) };
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, this.#inner(field)]);
    return { ...createJsonContent(schema), properties: Object.fromEntries(fields) };
  }
}

/** Schemas are already plain JSON, but their type does not say so. */
function createJsonContent(schema: Schema): { readonly [name: string]: Json } {
  return schema as unknown as { readonly [name: string]: Json };
}
