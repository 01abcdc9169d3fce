import { LOG_LEVELS, type LogStream } from './log-line.ts';
import { toSingleLine } from './one-line.ts';

const LEVEL_NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(LOG_LEVELS).map(([name, number]) => [number, name]),
);

type Line = Readonly<Record<string, unknown>>;

/** Log lines for people instead of JSON: the time of day (UTC), the level, the message. */
export function createPrettyLogStream(stream: LogStream): LogStream {
  return { write: (line) => stream.write(`${formatLogLine(line)}\n`) };
}

/** Formats one JSON line of the service's log for people. Other lines stay unchanged. */
export function formatLogLine(line: string): string {
  const read = parseLogLine(line);
  if (read === undefined) return line.trimEnd();
  const { level, time, msg, ...facts } = read;
  const at = typeof time === 'number' ? new Date(time).toISOString().slice(11, 23) : '';
  const said = msg === 'request' ? formatRequest(facts) : [msg, ...formatFacts(facts)].join('  ');
  return `${at} ${(LEVEL_NAMES.get(level) ?? '').padEnd(5)} ${said}`;
}

/** `POST /login 401 invalid_credentials 12.3 ms 127.0.0.1`, then everything else that is known. */
function formatRequest({ method, route, path, status, error, ms, address, ...facts }: Line): string {
  const words = [method, path ?? route, status, error, `${String(ms)} ms`, address].filter(
    (word) => word !== undefined,
  );
  return [words.map(formatValue).join(' '), ...formatFacts(facts)].join('  ');
}

function formatFacts(facts: Line): readonly string[] {
  return Object.entries(facts).map(([name, value]) => `${name}=${formatValue(value)}`);
}

function formatValue(value: unknown): string {
  return toSingleLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function parseLogLine(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
