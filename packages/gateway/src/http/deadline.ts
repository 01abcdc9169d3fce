import type { FastifyInstance, FastifyReply } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** How long an answer may take, in milliseconds from the head of its request. */
export interface RequestTimeouts {
  /** Until it is there. */
  readonly responseMs: number;
  /** Until its reader has taken it. */
  readonly readMs: number;
}

/** How often in the time of an answer is looked for what is late: nothing is later than by such a part of it. */
const LOOKS = 20;

/**
 * Answers every request that its handler has not answered in time, and ends the connection of whoever does not read the answer: Node
 * would wait for ever. One timer looks after all requests, and runs only while some are under way: one for each costs more than most other
 * things that every request does. The framework's own timeout makes an abort signal for each request besides, and an exception when the
 * request ends.
 */
export function addDeadline(app: FastifyInstance, { responseMs, readMs }: RequestTimeouts): void {
  const everyMs = responseMs / LOOKS;
  /** What is under way, each with the look at which its time is over: first that of the answer, then that of its reader. */
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
    // The first look may come at once.
    unanswered.set(reply, looks + 1 + LOOKS);
    timer ??= setTimeout(look, everyMs);
    timer.ref();
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    if (!unanswered.delete(reply)) unread.delete(reply);
    // Nothing waits for it: it holds up no end.
    if (isIdle()) timer?.unref();
    done();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}

/** Takes out whose time is over, and drops those whose connection is gone. */
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
