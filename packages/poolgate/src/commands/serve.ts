import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { RunCommand } from '../command-line/command.ts';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { batchLogLines, type LogStream } from '../process/log-line.ts';
import { createPrettyLogStream } from '../process/pretty-log.ts';
import { start } from '../service/start.ts';
import { formatStartBanner } from './start-banner.ts';

/** How long a start, and requests in flight, may take after the first signal, beside the time of notice. */
const GRACE_MS = 6_000;

/** For how long a service that was told to stop serves on, so that load balancers see that it is not ready. Nobody waits for a start of their own to end. */
const NOTICE_SECONDS = { development: 0, production: 3 } as const;

/**
 * After how many runs V8 compiles a function by its better compilers. Its own numbers, 400 and 3,000, are made for loops: a login runs most
 * of its code once or twice, so a service would serve thousands of logins by code that is a tenth dearer.
 */
const EARLY_COMPILATION = ['--invocation-count-for-maglev=100', '--invocation-count-for-turbofan=200'] as const;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How often a service that npm started looks whether npm's shell is still there. */
const SHELL_CHECK_MS = 500;

/**
 * Calls once npm's shell is gone. Some shells (Debian's) die of the SIGTERM that npm gives them and hand nothing on: the service would
 * stay behind and keep its port.
 */
function watchParentShell(call: () => void): void {
  const shell = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(check);
    call();
  }, SHELL_CHECK_MS).unref();
}

/** Resolves at the first signal. From then on a second one ends the process at once, and so does the end of the time of grace. */
function waitForSignal(ofNpm: boolean, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    let signalled = false;
    const stop = (): void => {
      signalled = true;
      // Neither a start that does not come to its end nor a client that will not finish must hold up the end.
      setTimeout(() => process.exit(0), graceMs).unref();
      resolve();
    };
    const onSignal = (): void => {
      if (signalled) process.exit(1);
      stop();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    if (ofNpm) watchParentShell(stop);
  });
}

/** What a program reads is the same in every start; what a person reads is made for people. */
function createLogStream({ settings: { logFormat }, mode }: Configuration): LogStream {
  const format = logFormat === 'auto' ? FORMATS[mode] : logFormat;
  return format === 'pretty' ? createPrettyLogStream(process.stderr) : batchLogLines(process.stderr);
}

const FORMATS = { development: 'pretty', production: 'json' } as const;

/** Serves until a signal comes; then is not ready, serves on for the time of notice, and answers what is in flight. */
export const runServe: RunCommand = async (_invocation, { environment, out }) => {
  // From the start on: a signal that comes while the store opens must not leave a half-made start behind.
  const configuration = readConfiguration(environment);
  const noticeMs = (configuration.settings.stopSeconds ?? NOTICE_SECONDS[configuration.mode]) * 1_000;
  const stopped = waitForSignal(environment.npm_lifecycle_event !== undefined, noticeMs + GRACE_MS);
  const service = await start({ environment, logStream: createLogStream(configuration) });
  if (service.mode === 'development') out(formatStartBanner(service));
  // Else it is written at the end only, and a service that is killed leaves nothing for the next start.
  flushCompileCache();
  // Not before: what runs at the start is not what runs from then on.
  for (const flag of EARLY_COMPILATION) setFlagsFromString(flag);
  await stopped;
  await service.close(noticeMs);
  return 0;
};
