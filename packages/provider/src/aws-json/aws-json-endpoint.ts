import type { CallContext } from '../call-context.ts';
import { EMPTY_OPERATIONS, type EmptyOperationRequest, type EmptyOperationRow } from '../empty-operations.ts';
import type { AccessRow, AdminScope } from '../operation-row.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../operations.ts';
import type { IdentityProvider, Input, ProviderOperations } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { REFUSED_OPERATIONS, type RefusedOperationRow } from '../refused-operations.ts';
import { requireMethod } from '../wrap-operations.ts';
import { compileReader } from './compile-reader.ts';
import { compileWriter } from './compile-writer.ts';
import { type AwsJsonRequest, type AwsJsonResponse, findHeader, type HttpHeaders } from './http-messages.ts';
import { ProtocolError } from './protocol-error.ts';
import { readBody } from './read-body.ts';
import { createInternalErrorResponse, createSuccessResponse, toErrorResponse } from './responses.ts';
import { requireOperationModel, TARGET_PREFIX } from './service-model.ts';

type AwsJsonCaller = Pick<CallContext, 'actor' | 'region'>;

/** Options of {@link createAwsJsonEndpoint}. */
export interface AwsJsonOptions<Request extends AwsJsonRequest> {
  /** The provider whose operations are served. */
  readonly provider: Pick<IdentityProvider, 'describe' | 'operations'>;
  /**
   * Accepts a request that proves an admin identity with this scope, and otherwise rejects with a {@link ProtocolError} or a
   * `ProviderError`. It is called for every operation with `admin` access, before the body is read. The returned caller and region become
   * part of the call context.
   */
  readonly authorizeAdmin: (request: Request, scope: AdminScope) => Promise<AwsJsonCaller>;
  /** Called with every unexpected error. The caller sees nothing of it. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** AWS JSON 1.1 over one provider. */
export interface AwsJsonEndpoint<Request extends AwsJsonRequest> {
  /** Handles one `POST`. It never rejects: unexpected errors are reported and answered with InternalErrorException. */
  handle(request: Request): Promise<AwsJsonResponse>;
}

/**
 * Serves an identity provider over the protocol of the Amazon Cognito user-pools API, without an HTTP framework. Additional members of a
 * request are passed to `authorizeAdmin` unchanged.
 *
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export function createAwsJsonEndpoint<Request extends AwsJsonRequest>(
  options: AwsJsonOptions<Request>,
): AwsJsonEndpoint<Request> {
  const dispatches: ReadonlyMap<string, OperationDispatch<Request>> = new Map([
    ...OPERATION_NAMES.map((name) => [`${TARGET_PREFIX}.${name}`, createDispatch(name, options)] as const),
    ...Object.entries(EMPTY_OPERATIONS).map(
      ([name, row]) => [`${TARGET_PREFIX}.${name}`, createEmptyDispatch(name, row, options)] as const,
    ),
    ...Object.entries(REFUSED_OPERATIONS).map(
      ([name, row]) => [`${TARGET_PREFIX}.${name}`, createRefusingDispatch(name, row, options)] as const,
    ),
  ]);

  async function answer(request: Request): Promise<AwsJsonResponse> {
    const dispatch = dispatches.get(findHeader(request.headers, 'x-amz-target') ?? '');
    if (dispatch === undefined) throw new ProtocolError('UnknownOperationException');
    const caller = await dispatch.guard(request);
    const { read, write } = dispatch.codec();
    const input = read(readBody(request.body));
    const { requestId, sourceAddress } = request;
    const call = { requestId, sourceAddress, ...caller };
    return createSuccessResponse(write(await dispatch.invoke(input, call)), requestId);
  }

  return {
    async handle(request) {
      try {
        return await answer(request);
      } catch (error) {
        if (error instanceof ProviderError || error instanceof ProtocolError)
          return toErrorResponse(error, request.requestId);
        options.onDefect(error, request.requestId);
        return createInternalErrorResponse(request.requestId);
      }
    },
  };
}

/**
 * Returns the operation that a request names in `X-Amz-Target`; undefined if it is not an operation of the port.
 *
 * @param headers the request's headers, with lowercase names
 */
export function findOperationName(headers: HttpHeaders): OperationName | undefined {
  const target = findHeader(headers, 'x-amz-target');
  return target === undefined ? undefined : NAME_BY_TARGET.get(target);
}

const NAME_BY_TARGET: ReadonlyMap<string, OperationName> = new Map(
  OPERATION_NAMES.map((name) => [`${TARGET_PREFIX}.${name}`, name]),
);

/** An operation, ready to be called. */
interface OperationDispatch<Request> {
  /** Rejects a caller before the body is read. */
  readonly guard: (request: Request) => Promise<AwsJsonCaller>;
  readonly codec: () => Codec;
  readonly invoke: Invoke;
}

interface Codec {
  readonly read: (body: Readonly<Record<string, unknown>>) => unknown;
  readonly write: (output: unknown) => unknown;
}

type Invoke = (input: unknown, call: CallContext) => Promise<unknown>;

function createDispatch<Request extends AwsJsonRequest>(
  name: OperationName,
  options: AwsJsonOptions<Request>,
): OperationDispatch<Request> {
  const guard = createGuard(OPERATIONS[name], options.authorizeAdmin);
  return { guard, codec: createLazyCodec(name), invoke: createInvoker(name, options.provider.operations) };
}

/** An operation that is not supported. The caller's access is checked first, then the request. */
function createRefusingDispatch<Request extends AwsJsonRequest>(
  name: string,
  row: RefusedOperationRow,
  { authorizeAdmin }: AwsJsonOptions<Request>,
): OperationDispatch<Request> {
  return {
    guard: createGuard(row, authorizeAdmin),
    codec: createLazyCodec(name),
    async invoke() {
      throw new ProviderError(row.code, row.message, { reason: 'feature_disabled' });
    },
  };
}

/** An operation that finds nothing in an existing pool. */
function createEmptyDispatch<Request extends AwsJsonRequest>(
  name: string,
  row: EmptyOperationRow,
  { authorizeAdmin, provider }: AwsJsonOptions<Request>,
): OperationDispatch<Request> {
  return {
    guard: createGuard(row, authorizeAdmin),
    codec: createLazyCodec(name),
    async invoke(input) {
      // The reader has validated the input against the operation's shape.
      const request = input as EmptyOperationRequest;
      const { UserPoolId: id } = request;
      if (id !== undefined && (await provider.describe(id)) === undefined) {
        throw new ProviderError('ResourceNotFoundException', `User pool ${id} does not exist.`);
      }
      return row.createOutput(request);
    },
  };
}

/** Compiled on first use, because most of a hundred operations are never used. */
function createLazyCodec(name: string): OperationDispatch<never>['codec'] {
  let compiled: Codec | undefined;
  return () => {
    compiled ??= compileCodec(name);
    return compiled;
  };
}

function createGuard<Request extends AwsJsonRequest>(
  row: AccessRow,
  authorizeAdmin: AwsJsonOptions<Request>['authorizeAdmin'],
): OperationDispatch<Request>['guard'] {
  switch (row.access) {
    case 'client':
    case 'access-token':
    case 'access-token-or-session':
      // Their credentials are members of the request, which the provider checks. An Authorization header has no meaning here.
      return async () => ({});
    case 'admin':
      return (request) => authorizeAdmin(request, row.scope);
    default:
      throw new TypeError('row: an operation without a known access is not served');
  }
}

function compileCodec(name: string): Codec {
  const { input, output } = requireOperationModel(name);
  return {
    read: compileReader(input),
    write: output === undefined ? () => undefined : compileWriter(output),
  };
}

function createInvoker<Name extends OperationName>(name: Name, operations: ProviderOperations): Invoke {
  const operation = requireMethod(operations, name);
  // The reader has validated the input against the operation's shape.
  return (input, call) => operation(input as Input<Name>, call);
}
