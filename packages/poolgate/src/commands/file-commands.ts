import { type Command, JSON_OUTPUT } from '../command-line/command.ts';

/** The commands for infrastructure files. */
export const FILE_COMMANDS: readonly Command[] = [
  {
    name: 'apply',
    operands: ['file or folder'],
    repeatsLastOperand: true,
    hasOptionalOperands: true,
    summary: 'Create and change pools, clients, groups and users as infrastructure files say.',
    details: [
      'Files: CloudFormation and SAM templates (JSON or YAML), a cdk.out or .serverless folder, or YAML with pools at its root.',
      'It prints a plan first. Whatever is wrong with a file is reported by line before anything is changed.',
      'Resources that the file no longer has stay, unless you pass --prune. Users are never removed.',
      'An interrupted apply resumes when you run it again.',
    ],
    options: [
      { name: 'dry-run', help: 'Print the plan and change nothing.' },
      {
        name: 'drift',
        help: 'Report what was changed by hand since the last apply, and change nothing. The exit code is 1 if something was.',
      },
      {
        name: 'parameter',
        placeholder: 'name=value',
        multiple: true,
        help: 'Set a parameter of a template. Repeatable.',
      },
      {
        name: 'stack',
        placeholder: 'name',
        help: 'Name the stack. The default is in the file, or the name of the file.',
      },
      { name: 'allow-replace', help: 'Allow changes that make a new pool or client with a new id.' },
      {
        name: 'prune',
        help: 'Remove what the file no longer has: never users, and never pools that have users or deletion protection.',
      },
      {
        name: 'output',
        placeholder: 'format',
        help: 'Print ids, client secrets and the outputs of templates: env, json, or amplify (amplify_outputs.json).',
      },
      { name: 'schema', help: 'Print the JSON Schema of files with pools at their root, for editors.' },
      {
        name: 'handlers',
        placeholder: 'folder',
        help: 'In development, call these files for the Lambda functions of the template: <logical id>.js or .ts, which exports handler.',
      },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./apply.ts')).runApply,
  },
  {
    name: 'export',
    operands: ['user pool id'],
    hasOptionalOperands: true,
    summary: 'Print an existing pool, here or at Amazon Cognito, as a file for `poolgate apply`.',
    details: [
      'The pool that is served, if you name none. Users are not part of it: see `poolgate user export`.',
      'No secret is printed. Clients get new ones, and the secrets of identity providers come from variables or parameters.',
    ],
    options: [
      { name: 'format', placeholder: 'format', help: 'yaml (the default) or cloudformation.' },
      { name: 'with-ids', help: 'Write the ids of the pool and its clients, which count in development.' },
    ],
    load: async () => (await import('./export.ts')).runExport,
  },
];
