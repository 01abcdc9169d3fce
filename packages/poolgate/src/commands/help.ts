import type { Command, CommandOption } from '../command-line/command.ts';

const HELP: CommandOption = { name: 'help', help: 'Print this help.' };

function formatColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function formatOptionRow({ name, placeholder, help }: CommandOption): [string, string] {
  return [placeholder === undefined ? `--${name}` : `--${name} <${placeholder}>`, help];
}

function formatOperands({ operands, repeatsLastOperand, hasOptionalOperands }: Command): readonly string[] {
  return operands.map((operand, index) => {
    const dots = repeatsLastOperand && index === operands.length - 1 ? '…' : '';
    return hasOptionalOperands ? `[<${operand}>${dots}]` : `<${operand}>${dots}`;
  });
}

/** The usage of a command in one line. */
export function formatUsage(command: Command): string {
  const { name, options } = command;
  const parts = [name, ...formatOperands(command), ...(options.length > 0 ? ['[options]'] : [])];
  return `poolgate ${parts.join(' ')}`;
}

/** The help of one command. */
export function formatCommandHelp(command: Command): string {
  return [
    command.summary,
    ...(command.details ?? []),
    '',
    `Usage: ${formatUsage(command)}`,
    '',
    'Options:',
    ...formatColumns([...command.options, HELP].map(formatOptionRow)),
  ].join('\n');
}

/** The help of the program, or of a group of its commands. */
export function formatCommandOverview(commands: readonly Command[]): string {
  return [
    'Poolgate: SRP login with its own user pool or Amazon Cognito, for unmodified Cognito clients and over HTTP.',
    '',
    'Usage: poolgate <command> [options]',
    '',
    'Commands:',
    ...formatColumns(
      commands.map((command) => [[command.name, ...formatOperands(command)].join(' '), command.summary]),
    ),
    '',
    'Options:',
    ...formatColumns([
      ['--help', 'Print this help or, after a command, the help of the command.'],
      ['--version', 'Print the version.'],
    ]),
    '',
    'Configure Poolgate with environment variables or a file: see `poolgate config` and docs/reference/configuration.md.',
  ].join('\n');
}
