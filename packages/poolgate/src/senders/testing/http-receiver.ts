import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { MessageReceiver, ReceivedMessage, ReceiverBehavior } from './sender-contract.ts';

/** A received request. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What one HTTP service accepts as a message, and how it responds. */
export interface HttpReceiverBehavior {
  /** @throws if the service would not accept the request */
  read(posted: ReceivedRequest): ReceivedMessage;
  reply(answer: Exclude<ReceiverBehavior, 'silence'>, response: ServerResponse): void;
}

/** A listening double of an HTTP service. */
export interface HttpReceiver {
  readonly receiver: MessageReceiver;
  readonly url: string;
  arrivals(): readonly ReceivedMessage[];
}

/** Listens on loopback until the test ends. */
export async function startHttpReceiver(context: TestContext, double: HttpReceiverBehavior): Promise<HttpReceiver> {
  const arrivals: ReceivedMessage[] = [];
  let answer: ReceiverBehavior = 'accept';
  let taken = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const arrival = double.read({ headers: request.headers, body: await text(request) });
    taken.resolve();
    if (answer === 'silence') return;
    if (answer === 'accept') arrivals.push(arrival);
    double.reply(answer, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  context.after(stop);
  const receiver = {
    answer(next: ReceiverBehavior): void {
      answer = next;
      taken = Promise.withResolvers();
    },
    taken: () => taken.promise,
    stop,
  };
  return { url: `http://127.0.0.1:${port}`, arrivals: () => arrivals, receiver };
}
