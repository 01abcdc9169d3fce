import { parseArgs } from 'node:util';
import type { Command, Invocation, Terminal } from '../command-line/command.ts';
import { CommandError, OutputClosedError, UsageError } from '../command-line/command.ts';
import { ConfigurationError, formatProblem } from '../config/configuration-error.ts';
import { findSuggestion } from '../config/suggestion.ts';
import { StartError } from '../process/start-error.ts';
import { readVersion } from '../process/version.ts';
import { COMMANDS } from './command-table.ts';
import { formatCommandHelp, formatCommandOverview, formatUsage } from './help.ts';

/** Finds the command whose name or alias starts the words, the longest name first. */
function findCommand(words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .map((name) => COMMANDS.find((command) => command.name === name || command.aliases?.includes(name)))
    .find((command) => command !== undefined);
}

function parseInvocation(command: Command, words: readonly string[]): Invocation {
  const options = Object.fromEntries(
    command.options.map(({ name, placeholder }) => [
      name,
      { type: placeholder === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  const { positionals, values } = parseOptions(command, words, options);
  if (!isOperandCountAllowed(command, positionals.length)) throw new UsageError(`usage: ${formatUsage(command)}`);
  const listValues = (option: string): readonly string[] => {
    const given = values[option];
    return Array.isArray(given) ? given.map((value) => (typeof value === 'string' ? value : '')) : [];
  };
  for (const { name, multiple } of command.options) {
    if (multiple === undefined && listValues(name).length > 1) throw new UsageError(`--${name} was given twice`);
  }
  return { operands: positionals, values: listValues, has: (option) => listValues(option).length > 0 };
}

function isOperandCountAllowed({ operands, repeatsLastOperand, hasOptionalOperands }: Command, count: number): boolean {
  const least = hasOptionalOperands ? 0 : operands.length;
  return count >= least && (repeatsLastOperand === true || count <= operands.length);
}

type ParseOptions = Record<string, { type: 'boolean' | 'string'; multiple: boolean }>;

function parseOptions(command: Command, words: readonly string[], options: ParseOptions): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Only the first sentence, because the rest is advice for other programs.
    const [reason] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${reason}\nusage: ${formatUsage(command)}`, error);
  }
}

function createUnknownCommandError(words: readonly string[]): UsageError {
  const typed = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const names = COMMANDS.map(({ name }) => name);
  const near = findSuggestion(typed.join(' '), names) ?? findSuggestion(typed[0] ?? '', names);
  const hint = near === undefined ? 'see poolgate --help' : `did you mean "${near}"?`;
  return new UsageError(`unknown command "${typed.join(' ')}"; ${hint}`);
}

/** The commands of a group such as `user`, or all without a group. */
function listGroupCommands(words: readonly string[]): readonly Command[] {
  const [first] = words.filter((word) => !word.startsWith('-'));
  return first === undefined ? COMMANDS : COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
}

const HELP_OPTIONS = new Set(['--help', '-h']);
const HELP_WORDS = new Set([...HELP_OPTIONS, 'help']);

/** Whether help is requested. After a command's name, `help` is an ordinary word, such as a username or a label. */
function isHelpRequested(words: readonly string[]): boolean {
  return words.some((word) => (findCommand(words) === undefined ? HELP_WORDS : HELP_OPTIONS).has(word));
}

/** The requested help; undefined if no command or group starts with the words. */
function findHelp(words: readonly string[]): string | undefined {
  const command = findCommand(words);
  if (command !== undefined) return formatCommandHelp(command);
  const commands = listGroupCommands(words);
  return commands.length > 0 ? formatCommandOverview(commands) : undefined;
}

function printHelp(words: readonly string[], terminal: Terminal): number {
  const help = findHelp(words);
  if (help === undefined) throw createUnknownCommandError(words);
  terminal.out(help);
  return 0;
}

async function dispatchCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  if (isHelpRequested(words))
    return printHelp(
      words.filter((word) => !HELP_WORDS.has(word)),
      terminal,
    );
  if (words[0] === '--version') {
    terminal.out(readVersion());
    return 0;
  }
  const command = findCommand(words);
  if (command !== undefined) {
    const invocation = parseInvocation(command, words.slice(command.name.split(' ').length));
    return (await command.load())(invocation, terminal);
  }
  const help = words.length < 2 ? findHelp(words) : undefined;
  if (help === undefined) throw createUnknownCommandError(words);
  terminal.err(help);
  return 2;
}

/** Errors that a person can fix: the text to print and the exit code. */
function explainFailure(error: unknown): { readonly lines: readonly string[]; readonly exitCode: number } | undefined {
  if (error instanceof ConfigurationError) return { lines: error.problems.map(formatProblem), exitCode: 2 };
  if (error instanceof OutputClosedError) return { lines: [], exitCode: 0 };
  if (error instanceof UsageError) return { lines: [`poolgate: ${error.message}`], exitCode: 2 };
  if (error instanceof StartError || error instanceof CommandError) {
    return { lines: [`poolgate: ${error.message}`], exitCode: 1 };
  }
  return undefined;
}

/**
 * A command's timers do not keep the process alive, so that they cannot delay a service's shutdown. This timer does while the command runs.
 */
const AWAKE_MS = 60_000;

/**
 * Runs the program with the words after its name. Resolves with the exit code: 0 success, 1 failure, 2 wrong command line or configuration.
 */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const awake = setInterval(() => {}, AWAKE_MS);
  try {
    const exitCode = await dispatchCommand(words, terminal);
    await terminal.flush?.();
    return exitCode;
  } catch (error) {
    const explained = explainFailure(error);
    if (explained === undefined) throw error;
    for (const line of explained.lines) terminal.err(line);
    return explained.exitCode;
  } finally {
    clearInterval(awake);
  }
}
