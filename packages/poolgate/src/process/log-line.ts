import type { Clock } from '@poolgate/pool';

/** Receives log lines, one JSON object per line. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Writes all lines of one turn of the event loop in one system call, because the event loop waits for each call. When the process ends, it
 * writes the remaining lines.
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

/** The numbers of the logger's levels. */
export const LOG_LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 } as const;

/** One of the levels of `LOG_LEVEL`. */
export type LogLevel = keyof typeof LOG_LEVELS;

/** Writes one line. The facts become members of its object. */
export type WriteLogLine = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** Writes lines in the format of the service's logger, for events outside requests. */
export function createLogWriter(stream: LogStream, clock: Clock, leastLevel: LogLevel): WriteLogLine {
  return (level, message, facts = {}) => {
    if (LOG_LEVELS[level] < LOG_LEVELS[leastLevel]) return;
    stream.write(`${JSON.stringify({ level: LOG_LEVELS[level], time: clock.now(), ...facts, msg: message })}\n`);
  };
}
