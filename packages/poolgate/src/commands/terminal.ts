import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Terminal } from './command.ts';
import { UsageError } from './command.ts';

/** Reads the first line of standard input; at a terminal what is typed is not shown. */
async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const atTerminal = stdin.isTTY === true;
  // readline echoes through its output: a sink there shows nothing.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: atTerminal, historySize: 0 });
  if (atTerminal) stderr.write(prompt);
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
    if (atTerminal) stderr.write('\n');
  }
  throw new UsageError('nothing came from standard input');
}

const ERASE_LINE = '\r\x1b[K';

/** Lines beside one that is written over. */
function lines() {
  let isShowing = false;
  const line = (stream: NodeJS.WriteStream) => (text: string) => {
    if (isShowing) process.stderr.write(ERASE_LINE);
    isShowing = false;
    stream.write(`${text}\n`);
  };
  return {
    out: line(process.stdout),
    err: line(process.stderr),
    progress(text: string): void {
      isShowing = true;
      process.stderr.write(`${ERASE_LINE}${text}`);
    },
  };
}

async function drained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

const { progress, ...written } = lines();

/** The terminal that the process was started at. */
export const processTerminal: Terminal = {
  environment: process.env,
  ...written,
  ...(process.stderr.isTTY ? { progress } : {}),
  drained,
  readSecret,
};
