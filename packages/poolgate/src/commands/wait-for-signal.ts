import type { Timer } from '@poolgate/pool';

/** How to wait for the end of a process. */
export interface SignalOptions {
  /** npm started it, so the end of npm's shell counts as a signal. */
  readonly hasNpmShell: boolean;
  /** How long the shutdown may take after the first signal. */
  readonly graceMs: number;
  readonly timer: Timer;
}

/** The used parts of `process`. */
type SignaledProcess = Pick<NodeJS.Process, 'exit' | 'on' | 'ppid'>;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How often a service that npm started checks npm's shell. */
const SHELL_CHECK_MS = 500;

/** Resolves at the first signal. After that, a second signal or the end of the grace period ends the process immediately. */
export function waitForSignal(
  signaled: SignaledProcess,
  { hasNpmShell, graceMs, timer }: SignalOptions,
): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      isStopping = true;
      // Neither an unfinished start nor a slow client may delay the end.
      timer.after(graceMs, () => signaled.exit(0));
      resolve();
    };
    for (const signal of SIGNALS) signaled.on(signal, () => (isStopping ? signaled.exit(1) : stop()));
    if (hasNpmShell) watchParentShell(signaled, timer, stop);
  });
}

/**
 * Calls back once npm's shell has ended. Some shells (Debian's) end at npm's SIGTERM without forwarding it, so the service would continue
 * and keep its port.
 */
function watchParentShell(signaled: SignaledProcess, timer: Timer, call: () => void): void {
  const shell = signaled.ppid;
  const look = (): void => {
    if (signaled.ppid === shell) timer.after(SHELL_CHECK_MS, look);
    else call();
  };
  timer.after(SHELL_CHECK_MS, look);
}
