import type { OutboxEntry, OutboxView } from '@poolgate/gateway';

/** The outboxes of several replicas as one. */
export interface MergedOutbox extends OutboxView {
  /** Adds the messages since the last call: of two messages of the same moment, the one that was added first is the older. */
  readonly collect: () => void;
}

/**
 * Merges the outboxes of several replicas, newest first. A test's clock stands still, so no time shows which of two messages in different
 * outboxes was sent first. The caller that forwards the replicas' responses must call `collect` at each.
 */
export function mergeOutboxes(outboxes: readonly OutboxView[]): MergedOutbox {
  const known = new Set<string>();
  const entries: OutboxEntry[] = [];
  const collect = (): void => {
    for (const outbox of outboxes) {
      const news = outbox.list(undefined).filter(({ id }) => !known.has(id));
      for (const { id } of news) known.add(id);
      entries.unshift(...news);
    }
  };
  return {
    collect,
    list(to) {
      collect();
      return entries.filter((entry) => to === undefined || entry.to === to);
    },
  };
}
