import type { EventRecord, EventRepository } from '@poolgate/pool/store';
import { appendEventAndDeliveries } from '../events/append-event.ts';
import type { Writer } from '../sql/statement.ts';

/** Writes the audit log. */
export class SqlEventRepository implements EventRepository {
  readonly #writer: Writer;
  /** The events to write after this write was committed. */
  readonly afterCommit: EventRecord[] = [];

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  append(event: EventRecord): Promise<void> {
    return appendEventAndDeliveries(this.#writer, event);
  }

  async appendAfterCommit(event: EventRecord): Promise<void> {
    this.afterCommit.push(event);
  }
}
