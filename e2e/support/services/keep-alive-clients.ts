import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** The results of clients with persistent connections. */
export interface KeepAliveReport {
  /** The number of successful responses. */
  readonly answered: number;
  /** All others, as status and body. */
  readonly others: readonly string[];
  /** Requests without a response: the connection was cut, or the response ended early. */
  readonly lost: readonly string[];
  /** The number of clients whose response ended the connection. */
  readonly sentAway: number;
}

/** Clients that send requests repeatedly, each on a persistent connection, until a response ends it. */
export interface KeepAliveClients {
  /** Resolves once every client has had a response. */
  readonly warm: Promise<void>;
  /** Lets each complete its request. */
  stop(): Promise<KeepAliveReport>;
}

/** One request of a client. */
export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

type ClientResponse =
  | { readonly status: number; readonly body: string; readonly isLast: boolean }
  | { readonly failure: string };

function sendRequest(url: string, agent: Agent, { method, path, body }: ClientRequest): Promise<ClientResponse> {
  const { hostname, port } = new URL(url);
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers =
    payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
  return new Promise((resolve) => {
    const onError = (error: Error): void => resolve({ failure: `${method} ${path}: ${error.message}` });
    const sent = request({ hostname, port, agent, method, path, headers }, (answer) => {
      const isLast = answer.headers.connection === 'close';
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body, isLast }), onError);
    });
    sent.on('error', onError);
    sent.end(payload);
  });
}

/**
 * Starts clients.
 * @param next the client's next request, by the number of previous ones
 */
export function startKeepAliveClients(
  url: string,
  clients: number,
  next: (turn: number) => ClientRequest,
): KeepAliveClients {
  const others: string[] = [];
  let answered = 0;
  const lost: string[] = [];
  let sentAway = 0;
  let waiting = clients;
  let isStopped = false;
  const { promise: warm, resolve: allWarm } = Promise.withResolvers<void>();

  const count = (answer: ClientResponse): boolean => {
    if ('failure' in answer) {
      lost.push(answer.failure);
      return true;
    }
    if (answer.status === 200) answered += 1;
    else others.push(`${answer.status} ${answer.body}`);
    if (answer.isLast) sentAway += 1;
    return !answer.isLast;
  };
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let goesOn = true;
    for (let turn = 0; goesOn && !isStopped; turn += 1) {
      goesOn = count(await sendRequest(url, agent, next(turn)));
      if (turn > 0) continue;
      waiting -= 1;
      if (waiting === 0) allWarm();
    }
    agent.destroy();
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    warm,
    async stop() {
      isStopped = true;
      await running;
      return { answered, others, lost, sentAway };
    },
  };
}
