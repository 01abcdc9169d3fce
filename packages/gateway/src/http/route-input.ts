import {
  type Address,
  checkSchema,
  type FieldError,
  listPathParameters,
  listQueryMembers,
  type ObjectSchema,
  type Route,
} from '@poolgate/contract';
import type { FastifyRequest } from 'fastify';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a request as the route's handler expects them. */
interface RouteInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type RequestParts = Pick<FastifyRequest, 'params' | 'query' | 'body'>;

/**
 * Creates the reader of an address's input, which validates it against the route's schemas without coercion.
 * @throws {GatewayError} validation_failed, from the reader
 */
export function createInputReader(route: Route, { method, path }: Address): (request: RequestParts) => RouteInput {
  const query = listQueryMembers(route);
  const readInputBody = route.bodyOnGet && method === 'GET' ? readFromBodyOrQuery : readFromBody;
  const inBody = Object.keys(route.params?.properties ?? {}).filter((name) => !listPathParameters(path).includes(name));
  return (request) => {
    const body = readInputBody(request);
    const params =
      inBody.length === 0 ? request.params : { ...(request.params as Fields), ...pickFields(body, inBody) };
    const errors = [
      ...checkPart(route.params, params),
      ...checkPart(query, request.query),
      ...checkPart(route.body, body),
    ];
    if (errors.length > 0) throw new GatewayError('validation_failed', 'The request is invalid.', { errors });
    return { params, query: request.query, body };
  };
}

function checkPart(schema: ObjectSchema | undefined, value: unknown): readonly FieldError[] {
  return schema === undefined ? [] : checkSchema(schema, value);
}

/** A missing body counts as an empty object. */
function readFromBody({ body }: RequestParts): unknown {
  return body === undefined ? {} : body;
}

function readFromBodyOrQuery({ body, query }: RequestParts): unknown {
  if (body === undefined) return query;
  if (!isFields(body)) return body;
  const inQuery = query as Fields;
  const differing = Object.keys(inQuery).find((name) => Object.hasOwn(body, name) && body[name] !== inQuery[name]);
  if (differing !== undefined)
    throw invalidFieldError(differing, 'mismatch', 'has different values in the query and the body');
  return { ...inQuery, ...body };
}

function pickFields(body: unknown, names: readonly string[]): Fields {
  if (!isFields(body)) return {};
  return Object.fromEntries(names.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
