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

/** An operation in the form that the SDK's protocol takes. */
interface Operation {
  readonly namespace: string;
  readonly name: string;
  readonly traits: unknown;
  readonly input: unknown;
  readonly output: unknown;
}

/** The SDK's protocol, as far as it is needed here: requests out of inputs, outputs or exceptions out of answers. */
interface Protocol {
  setSerdeContext(config: Config): void;
  serializeRequest(operation: Operation, input: object, context: object): Promise<HttpRequest>;
  deserializeResponse(operation: Operation, context: object, response: TransportResponse): Promise<unknown>;
}

/** Sends what needs no signature by the protocol of the SDK, past its middleware. */
export interface UnsignedSender {
  /**
   * Sends a command once; undefined, with nothing sent, where the SDK's model wants it signed.
   * @param clientAddress the end client, who is named in `X-Forwarded-For`; what is no address is not
   */
  send(command: SdkCommand, signal: AbortSignal, clientAddress: string | undefined): Promise<unknown> | undefined;
  /** Closes the connections. */
  close(): void;
}

/** Makes a sender on the configuration of a client. */
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

/** The endpoint is the same for all operations and calls, so the SDK's rules are asked for it once. */
async function createSerdeContext(config: Config): Promise<object> {
  const rules = await getEndpointFromInstructions({}, InitiateAuthCommand, { ...config });
  const { hostname, ...rest } = middlewareEndpointToEndpointV1(rules);
  // Node takes an IPv6 address without the brackets of a URL.
  const endpoint = { ...rest, hostname: hostname.replace(/^\[(.*)\]$/, '$1') };
  return { ...config, endpoint: async () => endpoint };
}
