import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.ts';

/** How long an answer may take, in milliseconds from the head of its request. */
export interface AnswerTimes {
  /** Until it is there. */
  readonly answerMs: number;
  /** Until its reader has taken it. */
  readonly readMs: number;
}

/**
 * Answers every request that its handler has not answered in time, and ends the connection of whoever does not read the answer: Node
 * would wait for ever. The framework's own timeout makes an abort signal for each request, and an exception when the request ends, which
 * costs more than the rest of the framework.
 */
export function addDeadline(app: FastifyInstance, { answerMs, readMs }: AnswerTimes): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const end = (): void => void reply.raw.destroy();
    let timer = setTimeout(() => {
      if (!reply.sent) reply.send(new GatewayError('timeout'));
      timer = setTimeout(end, readMs - answerMs);
    }, answerMs);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}
