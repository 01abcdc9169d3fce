import type { Clock } from '@poolgate/pool';

/** Where log lines (JSON, one a line) go. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Writes the lines of a turn of the event loop at once, since each write to a file or a pipe is a call of the system that the loop waits
 * for. What is left when the process ends is written then.
 */
export function linesOfTurns(stream: LogStream): LogStream {
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
export const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 } as const;

/** One of the levels of `LOG_LEVEL`. */
export type Level = keyof typeof LEVELS;

/** Writes one line; the facts become members of it. */
export type WriteLine = (level: Level, message: string, facts?: Readonly<Record<string, unknown>>) => void;

/** Writes lines in the form of the service's logger, for what happens before and beside requests. */
export function lineWriter(stream: LogStream, clock: Clock, leastLevel: Level): WriteLine {
  return (level, message, facts = {}) => {
    if (LEVELS[level] < LEVELS[leastLevel]) return;
    stream.write(`${JSON.stringify({ level: LEVELS[level], time: clock.now(), ...facts, msg: message })}\n`);
  };
}
