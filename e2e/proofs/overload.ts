import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The results of requests at a fixed rate, whether they are answered or not. */
export interface RateFigure {
  /** Sent requests per second, and 200 responses per second. */
  readonly sentPerSecond: number;
  readonly goodPerSecond: number;
  readonly refused: number;
  /** Durations of successful responses, in milliseconds. */
  readonly goodMs: readonly number[];
  /** Durations of requests for `/healthz`: over one connection, and over a new one each time, as some load balancers do. */
  readonly healthMs: readonly number[];
  readonly newHealthMs: readonly number[];
  /** Responses other than 200 and 503, 503 without `Retry-After`, and requests without a response. */
  readonly faults: readonly string[];
}

/** The requests, their rate and their duration. */
export interface RateOptions {
  readonly url: string;
  /** Bodies of `POST /login`, in turn. */
  readonly bodies: readonly unknown[];
  readonly perSecond: number;
  readonly seconds: number;
  /** The maximum number of open requests; further ones are not sent. */
  readonly mostOpen?: number;
}

const TICK_MS = 5;
const HEALTH_EVERY_MS = 50;
const MOST_OPEN = 1_000;

interface Answered {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly ms: number;
}

function ask(agent: Agent, url: string, path: string, body?: string): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const began = performance.now();
  const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ hostname, port, agent, method, path, headers }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          hasRetryAfter: answer.headers['retry-after'] !== undefined,
          ms: performance.now() - began,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Logs in at a rate that does not fall when responses are late. Meanwhile it checks the service's health, over a separate connection and
 * over new ones.
 */
export async function logInAtRate({
  url,
  bodies,
  perSecond,
  seconds,
  mostOpen = MOST_OPEN,
}: RateOptions): Promise<RateFigure> {
  const agent = new Agent({ keepAlive: true });
  const healthAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const newAgent = new Agent({ keepAlive: false });
  const texts = bodies.map((body) => JSON.stringify(body));
  const goodMs: number[] = [];
  const healthMs: number[] = [];
  const newHealthMs: number[] = [];
  const faults: string[] = [];
  let refused = 0;
  let sent = 0;
  const open = new Set<Promise<void>>();
  const count = ({ status, hasRetryAfter, ms }: Answered): void => {
    if (status === 200) goodMs.push(ms);
    else if (status === 503 && hasRetryAfter) refused += 1;
    else faults.push(`a login is answered by ${status}`);
  };
  const began = performance.now();
  const isOver = (): boolean => performance.now() - began > seconds * 1_000;
  const watch = async (by: Agent, times: number[]): Promise<void> => {
    while (!isOver()) {
      const { status, ms } = await ask(by, url, '/healthz');
      if (status !== 200) faults.push(`/healthz is answered by ${status}`);
      times.push(ms);
      await delay(HEALTH_EVERY_MS);
    }
  };
  const watching = [watch(healthAgent, healthMs), watch(newAgent, newHealthMs)];
  while (!isOver()) {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    for (; sent < due && open.size < mostOpen; sent += 1) {
      const asked: Promise<void> = ask(agent, url, '/login', texts[sent % texts.length])
        .then(count, (error: Error) => void faults.push(error.message))
        .finally(() => open.delete(asked));
      open.add(asked);
    }
    sent = Math.max(sent, Math.floor(due));
    await delay(TICK_MS);
  }
  const tookSeconds = (performance.now() - began) / 1_000;
  const good = goodMs.length;
  await Promise.all([...watching, ...open]);
  agent.destroy();
  healthAgent.destroy();
  newAgent.destroy();
  const answered = refused + goodMs.length + faults.length;
  return {
    sentPerSecond: answered / tookSeconds,
    goodPerSecond: good / tookSeconds,
    refused,
    goodMs,
    healthMs,
    newHealthMs,
    faults,
  };
}
