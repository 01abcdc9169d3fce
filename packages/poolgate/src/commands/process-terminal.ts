import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Terminal } from '../command-line/command.ts';
import { CommandError, OutputClosedError, UsageError } from '../command-line/command.ts';

/** Reads the first line of standard input. At a terminal, the input is not shown. */
async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const atTerminal = stdin.isTTY === true;
  // readline echoes to its output, so a sink hides the input.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: atTerminal, historySize: 0 });
  if (atTerminal) stderr.write(prompt);
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
    if (atTerminal) stderr.write('\n');
  }
  throw new UsageError('standard input is empty');
}

const ERASE_LINE = '\r\x1b[K';

/** The error of standard output, once it can no longer be written. */
let outFailure: Error | undefined;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const { code = 'unknown reason' } = error;
  outFailure =
    code === 'EPIPE' ? new OutputClosedError() : new CommandError(`the output cannot be written (${code})`, error);
});
// Without a listener, a service would end when the reader of its log does.
process.stderr.on('error', () => {});

function assertOutIsRead(): void {
  if (outFailure !== undefined) throw outFailure;
}

/** Writes lines in addition to one that is overwritten. */
function createTerminalLines() {
  let isShowing = false;
  const line = (stream: NodeJS.WriteStream) => (text: string) => {
    if (isShowing) process.stderr.write(ERASE_LINE);
    isShowing = false;
    stream.write(`${text}\n`);
  };
  const outLine = line(process.stdout);
  return {
    out(text: string): void {
      assertOutIsRead();
      outLine(text);
    },
    err: line(process.stderr),
    progress(text: string): void {
      isShowing = true;
      process.stderr.write(`${ERASE_LINE}${text}`);
    },
  };
}

async function waitForDrain(): Promise<void> {
  if (process.stdout.writableNeedDrain && outFailure === undefined) {
    // The stream's error is stored above.
    await once(process.stdout, 'drain').catch(() => {});
  }
  assertOutIsRead();
}

async function flushOutput(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  // A write's error is reported after its callback.
  await new Promise(setImmediate);
  assertOutIsRead();
}

const { progress, ...written } = createTerminalLines();

/** The terminal of the process. */
export const processTerminal: Terminal = {
  environment: process.env,
  ...written,
  ...(process.stderr.isTTY ? { progress } : {}),
  hasColors: process.stdout.isTTY === true && !process.env.NO_COLOR,
  waitForDrain,
  flush: flushOutput,
  readSecret,
};
