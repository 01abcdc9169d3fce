import { parseArgs } from 'node:util';
import { ConfigurationError, problemLine } from '../config/configuration-error.ts';
import { suggestion } from '../config/suggestion.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import type { Command, Invocation, Terminal } from './command.ts';
import { CommandError, OutputClosed, UsageError } from './command.ts';
import { commandHelp, overview, usage } from './help.ts';
import { COMMANDS } from './table.ts';

/** The command whose name the words begin with, the longest name first. */
function findCommand(words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .map((name) => COMMANDS.find((command) => command.name === name))
    .find((command) => command !== undefined);
}

function parse(command: Command, words: readonly string[]): Invocation {
  const options = Object.fromEntries(
    command.options.map(({ name, placeholder }) => [
      name,
      { type: placeholder === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  const { positionals, values } = tryParse(command, words, options);
  if (positionals.length !== command.operands.length) throw new UsageError(`usage: ${usage(command)}`);
  const valuesOf = (option: string): readonly string[] => {
    const given = values[option];
    return Array.isArray(given) ? given.map((value) => (typeof value === 'string' ? value : '')) : [];
  };
  for (const { name, multiple } of command.options) {
    if (multiple === undefined && valuesOf(name).length > 1) throw new UsageError(`--${name} is given twice`);
  }
  return { words: positionals, values: valuesOf, has: (option) => valuesOf(option).length > 0 };
}

type ParseOptions = Record<string, { type: 'boolean' | 'string'; multiple: boolean }>;

function tryParse(command: Command, words: readonly string[], options: ParseOptions): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Only the first sentence: the rest is advice for other programs.
    const [reason] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${reason}\nusage: ${usage(command)}`, error);
  }
}

function unknownCommand(words: readonly string[]): UsageError {
  const typed = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const names = COMMANDS.map(({ name }) => name);
  const near = suggestion(typed.join(' '), names) ?? suggestion(typed[0] ?? '', names);
  const hint = near === undefined ? 'see poolgate --help' : `did you mean "${near}"?`;
  return new UsageError(`unknown command "${typed.join(' ')}"; ${hint}`);
}

/** The commands of a group such as `user`, or all where no group is named. */
function group(words: readonly string[]): readonly Command[] {
  const [first] = words.filter((word) => !word.startsWith('-'));
  return first === undefined ? COMMANDS : COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
}

const HELP_OPTIONS = new Set(['--help', '-h']);
const HELP_WORDS = new Set([...HELP_OPTIONS, 'help']);

/** Whether help is asked for. Behind the name of a command, `help` is a word like any other: the name of a user, a label. */
function wantsHelp(words: readonly string[]): boolean {
  return words.some((word) => (findCommand(words) === undefined ? HELP_WORDS : HELP_OPTIONS).has(word));
}

/** The help that the words ask for; undefined where no command and no group begins with them. */
function helpFor(words: readonly string[]): string | undefined {
  const command = findCommand(words);
  if (command !== undefined) return commandHelp(command);
  const commands = group(words);
  return commands.length > 0 ? overview(commands) : undefined;
}

function printHelp(words: readonly string[], terminal: Terminal): number {
  const help = helpFor(words);
  if (help === undefined) throw unknownCommand(words);
  terminal.out(help);
  return 0;
}

async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  if (wantsHelp(words))
    return printHelp(
      words.filter((word) => !HELP_WORDS.has(word)),
      terminal,
    );
  if (words[0] === '--version') {
    terminal.out(version());
    return 0;
  }
  const command = findCommand(words);
  if (command !== undefined) {
    const invocation = parse(command, words.slice(command.name.split(' ').length));
    return (await command.load())(invocation, terminal);
  }
  const help = words.length < 2 ? helpFor(words) : undefined;
  if (help === undefined) throw unknownCommand(words);
  terminal.err(help);
  return 2;
}

/** Failures that a person can repair: what is printed and the exit code. */
function explain(error: unknown): { readonly lines: readonly string[]; readonly exitCode: number } | undefined {
  if (error instanceof ConfigurationError) return { lines: error.problems.map(problemLine), exitCode: 2 };
  if (error instanceof OutputClosed) return { lines: [], exitCode: 0 };
  if (error instanceof UsageError) return { lines: [`poolgate: ${error.message}`], exitCode: 2 };
  if (error instanceof StartError || error instanceof CommandError) {
    return { lines: [`poolgate: ${error.message}`], exitCode: 1 };
  }
  return undefined;
}

/** Timers that a command waits for keep no process alive, so that nothing holds up the end of a service: this does, while it runs. */
const AWAKE_MS = 60_000;

/**
 * Runs the program: the words after its name. Resolves with the exit code: 0 done, 1 failed, 2 wrong command line or configuration.
 */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const awake = setInterval(() => {}, AWAKE_MS);
  try {
    const exitCode = await dispatch(words, terminal);
    await terminal.flushed?.();
    return exitCode;
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined) throw error;
    for (const line of explained.lines) terminal.err(line);
    return explained.exitCode;
  } finally {
    clearInterval(awake);
  }
}
