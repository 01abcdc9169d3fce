/** What a command receives and may throw, and the operator as a caller of the provider. */
import type { Environment } from '../config/setting-sources.ts';

/** A command's access to the system. */
export interface Terminal {
  readonly environment: Environment;
  /**
   * Writes a line to standard output: the command's result.
   * @throws {OutputClosedError} the reader has closed it, as with `| head`
   */
  out(line: string): void;
  /** Writes a line to standard error: everything else. */
  err(line: string): void;
  /** Shows the progress of a long command, replacing the previous text; absent without a terminal. */
  readonly progress?: (text: string) => void;
  /** Whether standard output shows colors. */
  readonly hasColors?: boolean;
  /** Resolves once the output was written, so that a slow reader delays a long command instead of filling the memory. */
  readonly waitForDrain?: () => Promise<void>;
  /**
   * Resolves once all output was written.
   * @throws {OutputClosedError | CommandError} it could not be written
   */
  readonly flush?: () => Promise<void>;
  /** Asks for a secret without showing it. Without a terminal, it reads one line of standard input. */
  readSecret(prompt: string): Promise<string>;
}

/** One option of a command. */
export interface CommandOption {
  readonly name: string;
  /** The placeholder of its value in the help. An option without one is a switch. */
  readonly placeholder?: string;
  /** It may be given several times. */
  readonly multiple?: true;
  readonly help: string;
}

/** The option of a command that also prints for programs. */
export const JSON_OUTPUT: CommandOption = { name: 'json', help: 'Print JSON.' };

/** The option of a command for one pool. */
export const POOL_OPTION: CommandOption = {
  name: 'pool',
  placeholder: 'id',
  help: 'The ID of another user pool. Default: the pool that the service serves.',
};

/** The parsed command line. */
export interface Invocation {
  readonly operands: readonly string[];
  /** The values of an option: none if absent, `''` for a switch. */
  values(option: string): readonly string[];
  has(option: string): boolean;
}

/** Runs a command. Resolves with the exit code. */
export type RunCommand = (invocation: Invocation, terminal: Terminal) => Promise<number>;

/** One command of the program. */
export interface Command {
  /** Its name, such as `user create`. */
  readonly name: string;
  /** Older names that still work but are not listed in the help. They have as many words as the name. */
  readonly aliases?: readonly string[];
  /** Its positional arguments, which are all required. */
  readonly operands: readonly string[];
  /** The last one may be given several times. */
  readonly repeatsLastOperand?: true;
  /** The arguments are optional. */
  readonly hasOptionalOperands?: true;
  readonly summary: string;
  /** Additional lines of its help. */
  readonly details?: readonly string[];
  readonly options: readonly CommandOption[];
  /** Loads the code on demand, so that help and errors do not wait for loading a server. */
  load(): Promise<RunCommand>;
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UsageError';
  }
}

/** The command failed; exit code 1. */
export class CommandError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CommandError';
  }
}

/** The reader of the output has closed it, like `head`. The command ends, and this is not a failure; exit code 0. */
export class OutputClosedError extends Error {
  constructor() {
    super('the reader of the output has closed it');
    this.name = 'OutputClosedError';
  }
}
