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

/** What {@link createAwsJsonEndpoint} is given. */
export interface AwsJsonOptions<Request extends AwsJsonRequest> {
  /** Whose operations are served. */
  readonly provider: Pick<IdentityProvider, 'describe' | 'operations'>;
  /**
   * Lets a request through that proves a privileged identity with this right, and rejects with a {@link ProtocolError}
   * (or a `ProviderError`) otherwise. It is asked for every operation whose access is `admin`, before the body is read.
   * What it knows of who asks, and of the region that was meant, goes into the context of the call.
   */
  readonly authorizeAdmin: (request: Request, scope: AdminScope) => Promise<AwsJsonCaller>;
  /** Called with every failure that is no refusal. The caller gets none of it. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/** AWS JSON 1.1 over one provider. */
export interface AwsJsonEndpoint<Request extends AwsJsonRequest> {
  /** Answers one `POST`. It never rejects: a defect is reported and answered with InternalErrorException. */
  handle(request: Request): Promise<AwsJsonResponse>;
}

/**
 * Serves an identity provider in the protocol of the Amazon Cognito user-pools API, without any HTTP framework.
 * A request with more than what {@link AwsJsonRequest} asks for reaches `authorizeAdmin` as it is.
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
 * The operation that a request names in `X-Amz-Target`; undefined where it names none of the port.
 *
 * @param headers the request's headers, names in lower case
 */
export function findOperationName(headers: HttpHeaders): OperationName | undefined {
  const target = findHeader(headers, 'x-amz-target');
  return target === undefined ? undefined : NAME_BY_TARGET.get(target);
}

const NAME_BY_TARGET: ReadonlyMap<string, OperationName> = new Map(
  OPERATION_NAMES.map((name) => [`${TARGET_PREFIX}.${name}`, name]),
);

/** One operation, ready to be asked. */
interface OperationDispatch<Request> {
  /** Rejects where the caller may not even have the body read. */
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

/** An operation that is refused. Who may not ask is told that first, and a request that is none as well. */
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

/** An operation that finds nothing, in a pool that is there. */
function createEmptyDispatch<Request extends AwsJsonRequest>(
  name: string,
  row: EmptyOperationRow,
  { authorizeAdmin, provider }: AwsJsonOptions<Request>,
): OperationDispatch<Request> {
  return {
    guard: createGuard(row, authorizeAdmin),
    codec: createLazyCodec(name),
    async invoke(input) {
      // The reader held the input to the operation's shape.
      const request = input as EmptyOperationRequest;
      const { UserPoolId: id } = request;
      if (id !== undefined && (await provider.describe(id)) === undefined) {
        throw new ProviderError('ResourceNotFoundException', `User pool ${id} does not exist.`);
      }
      return row.createOutput(request);
    },
  };
}

/** Compiled when it is used first: most of a hundred operations never are. */
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
      // Their proofs are members of the request, which the provider checks. An Authorization header means nothing here.
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
  // The reader held the input to the operation's shape.
  return (input, call) => operation(input as Input<Name>, call);
}
