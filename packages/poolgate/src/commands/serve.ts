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

/** How long a start and running requests may take after the first signal, in addition to the notice period. */
const GRACE_MS = 6_000;

/**
 * How long a stopping service continues to serve, so that load balancers notice that it is not ready. In development, there is no delay.
 */
const NOTICE_SECONDS = { development: 0, production: 3 } as const;

/**
 * After how many runs V8 compiles a function with its better compilers. Its defaults, 400 and 3,000, are made for loops. A login runs most
 * of its code once or twice, so thousands of logins would use code that is a tenth slower.
 */
const EARLY_COMPILATION = ['--invocation-count-for-maglev=100', '--invocation-count-for-turbofan=200'] as const;

/** Programs get the same format at every start; people get a readable one. */
function createLogStream({ settings: { logFormat }, mode }: Configuration): LogStream {
  const format = logFormat === 'auto' ? FORMATS[mode] : logFormat;
  return format === 'pretty' ? createPrettyLogStream(process.stderr) : batchLogLines(process.stderr);
}

const FORMATS = { development: 'pretty', production: 'json' } as const;

/** Serves until a signal arrives. Then it is not ready, continues to serve during the notice period, and finishes running requests. */
export const runServe: RunCommand = async (_invocation, { environment, out }) => {
  // From the start on, because a signal while the store opens must not leave a half-finished start behind.
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
  // Otherwise it is written only at the end, and a killed service leaves nothing for the next start.
  flushCompileCache();
  // Not earlier, because startup code differs from the code that runs afterward.
  for (const flag of EARLY_COMPILATION) setFlagsFromString(flag);
  await stopped;
  await service.close(noticeMs);
  return 0;
};
