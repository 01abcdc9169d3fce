/** The program's commands, with a file for each. A command is loaded only when it is called. */
import { type Command, JSON_OUTPUT, POOL_OPTION } from '../command-line/command.ts';
import { TEST_PASSWORD_VARIABLE } from '../config/setting-sources.ts';
import { CLIENT_COMMANDS } from './client-commands.ts';
import { FILE_COMMANDS } from './file-commands.ts';
import { POOL_COMMANDS } from './pool-commands.ts';
import { SNAPSHOT_COMMANDS } from './snapshot-commands.ts';

/** Every command of the program. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    operands: [],
    summary: 'Start the service.',
    details: [
      'Logs go to standard error: readable lines in development, one JSON object per line in production (LOG_FORMAT).',
      'SIGTERM or SIGINT stops it after the requests in flight. A second signal stops it immediately.',
      'The log names the database. A SQLite file serves only one service at a time; commands work while it runs.',
    ],
    options: [],
    load: async () => (await import('./serve.ts')).runServe,
  },
  {
    name: 'config',
    operands: [],
    summary: 'Check the configuration and print the effective values, without secrets.',
    options: [JSON_OUTPUT, { name: 'reference', help: 'Print the reference of all settings as Markdown instead.' }],
    load: async () => (await import('./config.ts')).runConfig,
  },
  {
    name: 'doctor',
    operands: [],
    summary: 'Check everything the service depends on and suggest fixes.',
    details: [
      'Checks the configuration, secrets, database, clock, passkeys, messages, and the identity provider with its keys, settings and credentials.',
      'Changes nothing unless an option says so. The exit code is 1 if a check fails.',
      `The password of the test user comes from ${TEST_PASSWORD_VARIABLE} or a prompt.`,
    ],
    options: [
      {
        name: 'test-user',
        placeholder: 'username',
        help: 'Log this user in with SRP, register a device and log in with it, refresh, revoke, then remove the device.',
      },
      {
        name: 'test-totp',
        help: 'Set up an authenticator for the test user, log in with it, then turn it off.',
      },
      { name: 'checklist', help: 'Also go through the production checklist (docs/how-to/production.md).' },
      {
        name: 'send-to',
        placeholder: 'address',
        help: 'Send a test message to this email address or phone number.',
      },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'status',
    operands: [],
    summary: 'Show the state of the running service and what is queued in its database.',
    details: [
      'Asks the service at HOST and PORT whether it is ready. The exit code is 1 if it is not ready or the database is lost.',
    ],
    options: [JSON_OUTPUT],
    load: async () => (await import('./status.ts')).runStatus,
  },
  {
    name: 'backup',
    operands: ['file'],
    summary: 'Copy the SQLite database to a new file while the service runs, and check the copy.',
    details: [
      'The copy is a consistent snapshot that includes every completed request.',
      'It is encrypted with POOLGATE_SECRET and useless without it. Store the two separately.',
      'For PostgreSQL, use pg_dump.',
    ],
    options: [JSON_OUTPUT],
    load: async () => (await import('./backup.ts')).runBackup,
  },
  {
    name: 'restore',
    operands: ['file'],
    summary: 'Check a backup and replace the SQLite database with it. Stop the service first.',
    details: [
      'Checks its pages and indexes, its version, and that POOLGATE_SECRET can decrypt it.',
      'The previous database is kept under another name. The schema is migrated.',
    ],
    options: [{ name: 'replace', help: 'Replace the existing database.' }],
    load: async () => (await import('./restore.ts')).runRestore,
  },
  {
    name: 'migrate',
    operands: [],
    summary: 'Migrate the database to the schema of this version.',
    details: ['`serve` does this automatically. Run it first when you replace several replicas.'],
    options: [],
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
  {
    name: 'store copy',
    operands: ['target'],
    summary: 'Copy everything from DATABASE_URL to another, empty database, for example from SQLite to PostgreSQL.',
    details: [
      'The target is a database URL. With -, it is read from a prompt or standard input, so that its password does not show in the process list.',
      'Stop the services first. Writes to the source during the copy are lost (SQLite blocks them).',
      'Every row is compared in both databases before the copy is committed. Prints the number of rows per table.',
    ],
    options: [],
    load: async () => (await import('./store-copy.ts')).runStoreCopy,
  },
  {
    name: 'user create',
    operands: ['username'],
    summary: 'Create a user with a temporary password, which is printed once.',
    details: [
      'Nothing is sent to the user. In a pool where users sign in with email, the username is the email address.',
    ],
    options: [
      {
        name: 'attribute',
        placeholder: 'name=value',
        multiple: true,
        help: 'An attribute, e.g. name=Ada. May be repeated.',
      },
      {
        name: 'permanent',
        help: 'Set a permanent password from a prompt or the first line of standard input.',
      },
      POOL_OPTION,
    ],
    load: async () => (await import('./user-create.ts')).runUserCreate,
  },
  {
    name: 'user list',
    operands: [],
    summary: 'List the users of the pool.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./user-list.ts')).runUserList,
  },
  {
    name: 'user set-password',
    operands: ['username'],
    summary: 'Set the password of a user, from a prompt or the first line of standard input.',
    options: [{ name: 'temporary', help: 'The user must change it at the next login.' }, POOL_OPTION],
    load: async () => (await import('./user-set-password.ts')).runUserSetPassword,
  },
  {
    name: 'user import',
    operands: ['file'],
    summary: 'Import users from a file: .csv with the header of Cognito, or .jsonl as `user export` writes it.',
    details: [
      'Users without a password in the file must reset theirs. Passwords only work in a pool with the ID they come from.',
      'Records that cannot be imported are listed with their line and reason, and the exit code is 1.',
      'How far it is, is kept in <file>.checkpoint until the import is finished.',
    ],
    options: [
      { name: 'resume', help: 'Resume an interrupted import of this file.' },
      {
        name: 'rejects',
        placeholder: 'file',
        help: 'Write the rejected records to this file instead of standard error.',
      },
      { name: 'reset-passwords', help: 'Ignore the passwords in the file. Users must reset theirs.' },
      POOL_OPTION,
    ],
    load: async () => (await import('./user-import.ts')).runUserImport,
  },
  {
    name: 'user export',
    operands: [],
    summary: 'Write every user to a file, or to standard output.',
    options: [
      {
        name: 'format',
        placeholder: 'format',
        help: 'jsonl (a header, then one JSON object per line) or csv (with the header of Cognito). Default: jsonl.',
      },
      { name: 'output', placeholder: 'file', help: 'Write to this new file, which only you can read.' },
      {
        name: 'with-passwords',
        help: 'Include the SRP password verifiers, for a move to a pool with the same ID. Protect that file like passwords, because they can be guessed from it.',
      },
      POOL_OPTION,
    ],
    load: async () => (await import('./user-export.ts')).runUserExport,
  },
  ...CLIENT_COMMANDS,
  {
    name: 'messages dead',
    operands: [],
    summary: 'List the messages that could not be delivered, newest first, with the reason. Their content is deleted.',
    options: [
      { name: 'limit', placeholder: 'count', help: 'The maximum number to list, 1 to 1000. Default: 100.' },
      POOL_OPTION,
      JSON_OUTPUT,
    ],
    load: async () => (await import('./messages-dead.ts')).runMessagesDead,
  },
  ...POOL_COMMANDS,
  ...FILE_COMMANDS,
  ...SNAPSHOT_COMMANDS,
  {
    name: 'secrets reencrypt',
    aliases: ['secrets reseal'],
    operands: [],
    summary: 'Re-encrypt everything in the database with the first secret in POOLGATE_SECRET.',
    details: [
      'Afterwards you can remove the older secrets; see docs/how-to/rotate-secrets.md. Services may keep running, and their writes are never overwritten.',
      'Changes nothing while a running service lacks the first secret, and names that service.',
      'Run it again after an interruption. The exit code is 1 if anything is left.',
    ],
    options: [JSON_OUTPUT],
    load: async () => (await import('./secrets-reencrypt.ts')).runSecretsReencrypt,
  },
  {
    name: 'admin-key create',
    operands: ['label'],
    summary: 'Create an admin key. Its secret is printed once.',
    details: [
      'Scopes: users:read, users:write, groups:write, mfa:write, sessions:write, pool:read, pool:write, clients:write, keys:write, webhooks:write, audit:read.',
    ],
    options: [
      {
        name: 'scope',
        placeholder: 'scope',
        multiple: true,
        help: 'A scope, e.g. users:read. May be repeated. At least one is required.',
      },
      { name: 'days', placeholder: 'days', help: 'The number of days until it expires, 1 to 3650. Default: 365.' },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./admin-key-create.ts')).runAdminKeyCreate,
  },
  {
    name: 'admin-key list',
    operands: [],
    summary: 'List the admin keys with their expiry and last use, without secrets.',
    options: [JSON_OUTPUT],
    load: async () => (await import('./admin-key-list.ts')).runAdminKeyList,
  },
  {
    name: 'admin-key rotate',
    operands: ['id'],
    summary:
      'Create a replacement for an admin key, with the same label, scopes and lifetime. Its secret is printed once.',
    options: [
      {
        name: 'overlap',
        placeholder: 'hours',
        help: 'How many hours the old key stays valid, 0 to 720. Default: 24.',
      },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./admin-key-rotate.ts')).runAdminKeyRotate,
  },
  {
    name: 'admin-key revoke',
    operands: ['id'],
    summary: 'Revoke an admin key. It stops working immediately.',
    options: [],
    load: async () => (await import('./admin-key-revoke.ts')).runAdminKeyRevoke,
  },
];
