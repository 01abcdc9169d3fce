/** Tells the other tabs of the browser that the session has changed, and hears of it from them. */
export interface TabChannel {
  /** Tells the other tabs. */
  announce(): void;
  /** Calls the listener when another tab announces a change. Returns a function that stops that. */
  listen(listener: () => void): () => void;
}

/** Creates a channel between the tabs of one origin with the same name. Without BroadcastChannel, tabs do not hear of each other. */
export function createTabChannel(name: string): TabChannel {
  const listeners = new Set<() => void>();
  let open: BroadcastChannel | undefined;
  const openChannel = (): BroadcastChannel => {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', () => {
      for (const listener of listeners) listener();
    });
    // Only Node has this: there, an open channel would keep the process alive.
    (channel as { unref?(): void }).unref?.();
    return channel;
  };
  const isSupported = typeof BroadcastChannel !== 'undefined';
  return {
    announce() {
      if (!isSupported) return;
      const channel = open ?? new BroadcastChannel(name);
      channel.postMessage('changed');
      if (channel !== open) channel.close();
    },
    // Opened only while a listener exists.
    listen(listener) {
      listeners.add(listener);
      if (isSupported) open ??= openChannel();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        open?.close();
        open = undefined;
      };
    },
  };
}
