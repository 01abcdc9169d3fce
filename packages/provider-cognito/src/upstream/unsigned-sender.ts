import { isIP } from 'node:net';
import {
  type CognitoIdentityProviderClient,
  CognitoIdentityProviderServiceException,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { getEndpointFromInstructions, middlewareEndpointToEndpointV1 } from '@smithy/core/endpoints';
import type { HttpRequest } from '@smithy/core/protocols';
import type { SdkCommand } from './command-row.ts';
import { createTransport, type TransportResponse } from './transport.ts';
import { createUnreadableResponseFailure } from './upstream-failure.ts';

type Config = CognitoIdentityProviderClient['config'];

/** An operation in the form of the SDK's protocol. */
interface Operation {
  readonly namespace: string;
  readonly name: string;
  readonly traits: unknown;
  readonly input: unknown;
  readonly output: unknown;
}

/** The parts of the SDK's protocol that are needed here: it creates requests from inputs, and outputs or exceptions from responses. */
interface Protocol {
  setSerdeContext(config: Config): void;
  serializeRequest(operation: Operation, input: object, context: object): Promise<HttpRequest>;
  deserializeResponse(operation: Operation, context: object, response: TransportResponse): Promise<unknown>;
}

/** Sends unsigned requests with the SDK's protocol, without its middleware. */
export interface UnsignedSender {
  /**
   * Sends a command once; undefined, without sending anything, if the SDK's model requires a signature.
   * @param clientAddress the client for `X-Forwarded-For`; an invalid address is omitted
   */
  send(command: SdkCommand, signal: AbortSignal, clientAddress: string | undefined): Promise<unknown> | undefined;
  /** Closes the connections. */
  close(): void;
}

/** Creates a sender with a client's configuration. */
export function createUnsignedSender(config: Config, connectMs: number): UnsignedSender {
  const transport = createTransport(connectMs);
  const protocol = config.protocol as Protocol;
  protocol.setSerdeContext(config);
  const operations = new Map<unknown, Operation | undefined>();
  let context: object | undefined;

  function unsignedOperation(schema: unknown): Operation | undefined {
    if (!operations.has(schema)) operations.set(schema, readOperation(config, schema));
    return operations.get(schema);
  }

  async function exchange(
    operation: Operation,
    input: object,
    signal: AbortSignal,
    clientAddress: string | undefined,
  ): Promise<unknown> {
    context ??= await createSerdeContext(config);
    const request = await protocol.serializeRequest(operation, input, context);
    request.headers['user-agent'] = 'poolgate';
    if (clientAddress !== undefined && isIP(clientAddress) > 0) request.headers['x-forwarded-for'] = clientAddress;
    const response = await transport.send(request, signal);
    try {
      return await protocol.deserializeResponse(operation, context, response);
    } catch (thrown) {
      if (thrown instanceof CognitoIdentityProviderServiceException) throw thrown;
      throw createUnreadableResponseFailure(response.statusCode);
    }
  }

  return {
    send({ schema, input }, signal, clientAddress) {
      const operation = unsignedOperation(schema);
      return operation && exchange(operation, input, signal, clientAddress);
    },
    close: () => transport.close(),
  };
}

function readOperation(config: Config, schema: unknown): Operation | undefined {
  const [, namespace, name, traits, input, output] = schema as readonly [number, string, string, ...unknown[]];
  const schemes = config.httpAuthSchemeProvider({ operation: name });
  const isUnsigned = schemes.every(({ schemeId }) => schemeId === 'smithy.api#noAuth');
  return isUnsigned ? { namespace, name, traits, input, output } : undefined;
}

/** The endpoint is the same for all operations and calls, so the SDK's rules are evaluated once. */
async function createSerdeContext(config: Config): Promise<object> {
  const rules = await getEndpointFromInstructions({}, InitiateAuthCommand, { ...config });
  const { hostname, ...rest } = middlewareEndpointToEndpointV1(rules);
  // Node expects an IPv6 address without a URL's brackets.
  const endpoint = { ...rest, hostname: hostname.replace(/^\[(.*)\]$/, '$1') };
  return { ...config, endpoint: async () => endpoint };
}
