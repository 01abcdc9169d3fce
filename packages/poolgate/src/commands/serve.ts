import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { RunCommand } from '../command-line/command.ts';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { batchLogLines, type LogStream } from '../process/log-line.ts';
import { createPrettyLogStream } from '../process/pretty-log.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { readMessageLimits } from '../providers/message-limits.ts';
import { start } from '../service/start.ts';
import { formatStartBanner } from './start-banner.ts';
import { waitForSignal } from './wait-for-signal.ts';

/** How long a start, and requests in flight, may take after the first signal, beside the time of notice. */
const GRACE_MS = 6_000;

/** For how long a service that was told to stop serves on, so that load balancers see that it is not ready. Nobody waits for a start of their own to end. */
const NOTICE_SECONDS = { development: 0, production: 3 } as const;

/**
 * After how many runs V8 compiles a function by its better compilers. Its own numbers, 400 and 3,000, are made for loops: a login runs most
 * of its code once or twice, so a service would serve thousands of logins by code that is a tenth dearer.
 */
const EARLY_COMPILATION = ['--invocation-count-for-maglev=100', '--invocation-count-for-turbofan=200'] as const;

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
  const stopped = waitForSignal(process, {
    hasNpmShell: environment.npm_lifecycle_event !== undefined,
    graceMs: noticeMs + GRACE_MS,
    timer: HOST_SYSTEM.timer,
  });
  const service = await start({ environment, logStream: createLogStream(configuration) });
  if (service.mode === 'development')
    out(formatStartBanner(service, readMessageLimits(configuration).perSourceAndHour));
  // Else it is written at the end only, and a service that is killed leaves nothing for the next start.
  flushCompileCache();
  // Not before: what runs at the start is not what runs from then on.
  for (const flag of EARLY_COMPILATION) setFlagsFromString(flag);
  await stopped;
  await service.close(noticeMs);
  return 0;
};
