import type { FastifyInstance, FastifyReply } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** How long a response may take, in milliseconds after the request's header. */
export interface RequestTimeouts {
  /** Until it is complete. */
  readonly responseMs: number;
  /** Until the client has read it. */
  readonly readMs: number;
}

/** How often overdue requests are checked within a response's time, which limits the delay to this fraction. */
const LOOKS = 20;

/**
 * Answers every request that its handler has not answered in time, and closes the connection of a client that does not read the response,
 * for which Node would wait forever. One timer serves all requests and runs only while some are in progress. A timer for each would cost
 * more than most other work of a request. The framework's own timeout also creates an abort signal for each request, and an exception when
 * it ends.
 */
export function addDeadline(app: FastifyInstance, { responseMs, readMs }: RequestTimeouts): void {
  const everyMs = responseMs / LOOKS;
  /** Requests in progress with the check at which their time is over: first that of the response, then that of its reader. */
  const unanswered = new Map<FastifyReply, number>();
  const unread = new Map<FastifyReply, number>();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const isIdle = (): boolean => unanswered.size === 0 && unread.size === 0;
  const look = (): void => {
    timer = undefined;
    looks += 1;
    for (const reply of takeOverdueReplies(unread, looks)) reply.raw.destroy();
    for (const reply of takeOverdueReplies(unanswered, looks)) {
      unread.set(reply, looks + Math.ceil((readMs - responseMs) / everyMs));
      if (!reply.sent) reply.send(new GatewayError('timeout'));
    }
    if (!isIdle()) timer = setTimeout(look, everyMs);
  };
  app.addHook('onRequest', (_request, reply, done) => {
    // The first check may come immediately.
    unanswered.set(reply, looks + 1 + LOOKS);
    timer ??= setTimeout(look, everyMs);
    timer.ref();
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    if (!unanswered.delete(reply)) unread.delete(reply);
    // It must not keep the process alive.
    if (isIdle()) timer?.unref();
    done();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}

/** Removes overdue replies, and drops those with a closed connection. */
function takeOverdueReplies(waiting: Map<FastifyReply, number>, look: number): readonly FastifyReply[] {
  const late: FastifyReply[] = [];
  for (const [reply, lastLook] of waiting) {
    const hasLeft = reply.raw.destroyed;
    if (!hasLeft && look < lastLook) continue;
    waiting.delete(reply);
    if (!hasLeft) late.push(reply);
  }
  return late;
}
