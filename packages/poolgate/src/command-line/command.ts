/**
 * What a command is given and what it may throw, and the operator as a caller of the provider.
 */
import type { Environment } from '../config/setting-sources.ts';

/** What a command may touch of the system. */
export interface Terminal {
  readonly environment: Environment;
  /**
   * Writes a line to standard output: what the command was asked for.
   * @throws {OutputClosedError} where nobody reads it any more, as behind `| head`
   */
  out(line: string): void;
  /** Writes a line to standard error: everything else. */
  err(line: string): void;
  /** Shows how far a long command is, in place of what was shown before; absent where nobody sits there to see it. */
  readonly progress?: (text: string) => void;
  /** Whether colors are shown where standard output goes. */
  readonly hasColors?: boolean;
  /** Resolves once what was written has left, so that a slow reader holds up a long command instead of filling the memory. */
  readonly waitForDrain?: () => Promise<void>;
  /**
   * Resolves once everything has left.
   * @throws {OutputClosedError | CommandError} where it could not
   */
  readonly flush?: () => Promise<void>;
  /** Asks for a secret without showing it; reads one line of standard input where nobody sits at a terminal. */
  readSecret(prompt: string): Promise<string>;
}

/** One option of a command. */
export interface CommandOption {
  readonly name: string;
  /** What stands for its value in the help; an option without it is a switch. */
  readonly placeholder?: string;
  /** May be given several times. */
  readonly multiple?: true;
  readonly help: string;
}

/** The option of a command that prints for programs too. */
export const JSON_OUTPUT: CommandOption = { name: 'json', help: 'Print JSON.' };

/** What the user typed, taken apart. */
export interface Invocation {
  readonly operands: readonly string[];
  /** The values of an option: none where it is absent, `''` for a switch that is there. */
  values(option: string): readonly string[];
  has(option: string): boolean;
}

/** Runs a command. Resolves with the exit code. */
export type RunCommand = (invocation: Invocation, terminal: Terminal) => Promise<number>;

/** One command of the program. */
export interface Command {
  /** How it is called, e.g. `user create`. */
  readonly name: string;
  /** Older names that still work and that the help does not list. They have as many words as the name. */
  readonly aliases?: readonly string[];
  /** Its positional arguments; all are needed. */
  readonly operands: readonly string[];
  /** The last one may be given several times. */
  readonly repeatsLastOperand?: true;
  /** None is needed. */
  readonly hasOptionalOperands?: true;
  readonly summary: string;
  /** Further lines of its help. */
  readonly details?: readonly string[];
  readonly options: readonly CommandOption[];
  /** Loads the code only when it is needed: help and faults should not wait for a server to be read. */
  load(): Promise<RunCommand>;
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UsageError';
  }
}

/** The command could not do what it was asked for; exit code 1. */
export class CommandError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CommandError';
  }
}

/** Whoever read the output has seen enough, as `head` has: the command ends, and that is no failure; exit code 0. */
export class OutputClosedError extends Error {
  constructor() {
    super('nobody reads the output any more');
    this.name = 'OutputClosedError';
  }
}
