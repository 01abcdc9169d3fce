import type { Timer } from '@poolgate/pool';

/** How the end of a process is waited for. */
export interface SignalOptions {
  /** npm started it: the end of npm's shell counts as a signal. */
  readonly hasNpmShell: boolean;
  /** How long what is done after the first signal may take. */
  readonly graceMs: number;
  readonly timer: Timer;
}

/** What is needed of `process`. */
type SignaledProcess = Pick<NodeJS.Process, 'exit' | 'on' | 'ppid'>;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How often a service that npm started looks whether npm's shell is still there. */
const SHELL_CHECK_MS = 500;

/** Resolves at the first signal. From then on a second one ends the process at once, and so does the end of the time of grace. */
export function waitForSignal(
  signaled: SignaledProcess,
  { hasNpmShell, graceMs, timer }: SignalOptions,
): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      isStopping = true;
      // Neither a start that does not come to its end nor a client that will not finish must hold up the end.
      timer.after(graceMs, () => signaled.exit(0));
      resolve();
    };
    for (const signal of SIGNALS) signaled.on(signal, () => (isStopping ? signaled.exit(1) : stop()));
    if (hasNpmShell) watchParentShell(signaled, timer, stop);
  });
}

/**
 * Calls once npm's shell is gone. Some shells (Debian's) die of the SIGTERM that npm gives them and hand nothing on: the service would
 * stay behind and keep its port.
 */
function watchParentShell(signaled: SignaledProcess, timer: Timer, call: () => void): void {
  const shell = signaled.ppid;
  const look = (): void => {
    if (signaled.ppid === shell) timer.after(SHELL_CHECK_MS, look);
    else call();
  };
  timer.after(SHELL_CHECK_MS, look);
}
