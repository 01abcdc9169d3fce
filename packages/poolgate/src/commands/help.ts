import type { Command, Option } from './command.ts';

const HELP: Option = { name: 'help', help: 'Print this help.' };

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function optionRow({ name, placeholder, help }: Option): [string, string] {
  return [placeholder === undefined ? `--${name}` : `--${name} <${placeholder}>`, help];
}

/** How a command is called, in one line. */
export function usage({ name, operands, options }: Command): string {
  const parts = [name, ...operands.map((operand) => `<${operand}>`), ...(options.length > 0 ? ['[options]'] : [])];
  return `poolgate ${parts.join(' ')}`;
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  return [
    command.summary,
    ...(command.details ?? []),
    '',
    `Usage: ${usage(command)}`,
    '',
    'Options:',
    ...columns([...command.options, HELP].map(optionRow)),
  ].join('\n');
}

/** The help of the program, or of a group of its commands. */
export function overview(commands: readonly Command[]): string {
  return [
    'Poolgate: SRP login on a user pool of its own or on Amazon Cognito, for unmodified Cognito clients and over HTTP routes.',
    '',
    'Usage: poolgate <command> [options]',
    '',
    'Commands:',
    ...columns(
      commands.map(({ name, operands, summary }) => [
        [name, ...operands.map((operand) => `<${operand}>`)].join(' '),
        summary,
      ]),
    ),
    '',
    'Options:',
    ...columns([
      ['--help', 'Print this help; after a command, its help.'],
      ['--version', 'Print the version.'],
    ]),
    '',
    'The configuration is in the environment or in a file: see `poolgate config` and docs/configuration.md.',
  ].join('\n');
}
