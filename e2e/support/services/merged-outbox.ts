import type { OutboxEntry, OutboxView } from '@poolgate/gateway';

/** The outboxes of several replicas as one. */
export interface MergedOutbox extends OutboxView {
  /** Takes up what came since the last call: of two messages of one moment, the one that was taken up first is the older. */
  readonly collect: () => void;
}

/**
 * Puts the outboxes of several replicas together, newest first. The clock of a test stands still, so that no time tells which of two
 * messages in different outboxes was sent first: whoever passes the answers of the replicas on has to call `collect` at each.
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
