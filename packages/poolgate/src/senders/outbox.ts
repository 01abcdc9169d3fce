import type { OutboxEntry, OutboxView } from '@poolgate/gateway';
import type { Clock, Message, Sender } from '@poolgate/pool';

/** The maximum number of waiting messages. The oldest are removed first. */
const OUTBOX_CAPACITY = 500;

/** The development outbox: it keeps messages for inspection and does not send them. */
export interface Outbox extends Sender, OutboxView {
  clear(): void;
}

/** Creates an outbox in memory. A message is there as soon as `send` has returned. It is never logged. */
export function createOutbox(clock: Clock, capacity: number = OUTBOX_CAPACITY): Outbox {
  const entries: OutboxEntry[] = [];
  return {
    immediate: true,
    send({ id, channel, to, subject, text, html, code }: Message): Promise<void> {
      const at = new Date(clock.now()).toISOString();
      const optional = { ...(html === undefined ? {} : { html }), ...(code === undefined ? {} : { code }) };
      entries.unshift({ id, to, channel, subject, text, ...optional, at });
      entries.length = Math.min(entries.length, capacity);
      return Promise.resolve();
    },
    list: (to) => entries.filter((entry) => to === undefined || entry.to === to),
    clear() {
      entries.length = 0;
    },
  };
}
