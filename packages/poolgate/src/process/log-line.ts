import type { Clock } from '@poolgate/pool';

/** Where log lines (JSON, one a line) go. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Writes the lines of a turn of the event loop at once, since each write to a file or a pipe is a call of the system that the loop waits
 * for. What is left when the process ends is written then.
 */
export function batchLogLines(stream: LogStream): LogStream {
  let lines = '';
  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') stream.write(text);
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/** The numbers that the service's logger gives to its levels. */
export const LOG_LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 } as const;

/** One of the levels of `LOG_LEVEL`. */
export type LogLevel = keyof typeof LOG_LEVELS;

/** Writes one line; the facts become members of it. */
export type WriteLogLine = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** Writes lines in the form of the service's logger, for what happens before and beside requests. */
export function createLogWriter(stream: LogStream, clock: Clock, leastLevel: LogLevel): WriteLogLine {
  return (level, message, facts = {}) => {
    if (LOG_LEVELS[level] < LOG_LEVELS[leastLevel]) return;
    stream.write(`${JSON.stringify({ level: LOG_LEVELS[level], time: clock.now(), ...facts, msg: message })}\n`);
  };
}
