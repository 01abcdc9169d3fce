/** The program's commands, with a file for each. A command is loaded only when it is called. */
import { type Command, JSON_OUTPUT } from '../command-line/command.ts';
import { TEST_PASSWORD_VARIABLE } from '../config/setting-sources.ts';
import { CLIENT_COMMANDS } from './client-commands.ts';
import { FILE_COMMANDS } from './file-commands.ts';
import { POOL_COMMANDS } from './pool-commands.ts';

/** Every command of the program. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    operands: [],
    summary: 'Start the service.',
    details: [
      'Logs go to standard error: in development a line for people, in production a JSON object a line (LOG_FORMAT).',
      'SIGTERM or SIGINT ends it: requests in flight are answered first. A second signal ends it at once.',
      'The log names the store. A second service on the same SQLite file is refused; commands work beside a service.',
    ],
    options: [],
    load: async () => (await import('./serve.ts')).runServe,
  },
  {
    name: 'config',
    operands: [],
    summary: 'Check the configuration and print the effective values, without secrets.',
    options: [JSON_OUTPUT, { name: 'reference', help: 'Print the reference page of all keys (Markdown) instead.' }],
    load: async () => (await import('./config.ts')).runConfig,
  },
  {
    name: 'doctor',
    operands: [],
    summary: 'Check everything that the service uses, and say what to change.',
    details: [
      'Configuration, secrets, store, clock, the identity provider with its keys, settings and credentials, passkeys, messages.',
      'Nothing is changed but what an option asks for. The exit code is 1 where something does not work.',
      `The password of the test user is in ${TEST_PASSWORD_VARIABLE}, or asked for.`,
    ],
    options: [
      {
        name: 'test-user',
        placeholder: 'username',
        help: 'Log this user in by SRP, register a device and log in on it, refresh, revoke, and remove the device again.',
      },
      {
        name: 'test-totp',
        help: 'Set an authenticator up for the test user, log in with it, and switch it off again.',
      },
      { name: 'checklist', help: 'Go through the list for production (docs/how-to/production.md) as well.' },
      {
        name: 'send-to',
        placeholder: 'address',
        help: 'Send a test message to this e-mail address or telephone number.',
      },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'status',
    operands: [],
    summary: 'Say how the running service stands, and what waits in its store.',
    details: [
      'It asks the service at HOST and PORT whether it is ready. The exit code is 1 where it is not, or where the database is lost.',
    ],
    options: [JSON_OUTPUT],
    load: async () => (await import('./status.ts')).runStatus,
  },
  {
    name: 'backup',
    operands: ['file'],
    summary: 'Copy the SQLite database to a new file while the service runs, and check the copy.',
    details: [
      'The copy is the database at one moment, with everything that was answered before.',
      'It is encrypted by POOLGATE_SECRET and worth nothing without it. Keep the two apart.',
      'PostgreSQL has pg_dump for this.',
    ],
    options: [JSON_OUTPUT],
    load: async () => (await import('./backup.ts')).runBackup,
  },
  {
    name: 'restore',
    operands: ['file'],
    summary: 'Put a backup in the place of the SQLite database, once it was checked. The service must be stopped.',
    details: [
      'Checked are its pages and indexes, that it was not made by a newer version, and that POOLGATE_SECRET opens it.',
      'What was there before stays beside it under another name. The schema is brought up to date.',
    ],
    options: [{ name: 'replace', help: 'There is a database already: put the backup in its place.' }],
    load: async () => (await import('./restore.ts')).runRestore,
  },
  {
    name: 'migrate',
    operands: [],
    summary: 'Bring the database to the schema of this version.',
    details: ['`serve` does this by itself. Run it before when several replicas are being replaced.'],
    options: [],
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
  {
    name: 'store copy',
    operands: ['target'],
    summary: 'Copy everything from the database of DATABASE_URL to another, empty one: SQLite to PostgreSQL, or back.',
    details: [
      'The target is a database URL; with - it is asked for, or read from standard input, so that its password is in no list of processes.',
      'Stop the services first: what is written to the source meanwhile is not copied (SQLite lets nobody write).',
      'Each row is compared in both databases before anything of the copy is kept. Prints how many rows each table has.',
    ],
    options: [],
    load: async () => (await import('./store-copy.ts')).runStoreCopy,
  },
  {
    name: 'user create',
    operands: ['username'],
    summary: 'Create a user with a temporary password, which is printed once.',
    details: [
      'Nothing is sent to the user. On a pool where users sign in by e-mail, the user name is the e-mail address.',
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
        help: 'Ask for a password that need not be changed at the first login (or read it from the first line of standard input).',
      },
    ],
    load: async () => (await import('./user-create.ts')).runUserCreate,
  },
  {
    name: 'user list',
    operands: [],
    summary: 'List the users of the pool.',
    options: [JSON_OUTPUT],
    load: async () => (await import('./user-list.ts')).runUserList,
  },
  {
    name: 'user set-password',
    operands: ['username'],
    summary: 'Set the password of a user. It is asked for, or read from the first line of standard input.',
    options: [{ name: 'temporary', help: 'The user must change it at the next login.' }],
    load: async () => (await import('./user-set-password.ts')).runUserSetPassword,
  },
  {
    name: 'user import',
    operands: ['file'],
    summary: 'Import users from a file: .csv with the header of Cognito, or .jsonl as `user export` writes it.',
    details: [
      'Without a password in the file, users have to reset theirs. Passwords are bound to the id of the pool that they come from.',
      'Records that are not imported are listed by their line and a reason; then the exit code is 1.',
      'How far it is, is kept in <file>.checkpoint until the import is finished.',
    ],
    options: [
      { name: 'resume', help: 'Go on where an import of this file stopped or was killed.' },
      {
        name: 'rejects',
        placeholder: 'file',
        help: 'List the records that are not imported here, in place of standard error.',
      },
      { name: 'reset-passwords', help: 'Leave the passwords of the file out: users have to reset theirs.' },
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
        help: 'jsonl (one JSON object a line, after a header) or csv (the header of Cognito). jsonl when left out.',
      },
      { name: 'output', placeholder: 'file', help: 'Write to this new file, which only you may read.' },
      {
        name: 'with-passwords',
        help: 'Write the SRP verifiers of the passwords too, for a move to a pool with the same id. Keep that file like passwords: they can be guessed from it.',
      },
    ],
    load: async () => (await import('./user-export.ts')).runUserExport,
  },
  ...CLIENT_COMMANDS,
  {
    name: 'messages dead',
    operands: [],
    summary: 'List the messages that were given up, newest first: which, when and why. Their content is gone.',
    options: [
      { name: 'limit', placeholder: 'count', help: 'How many at most, 1 to 1000. 100 when left out.' },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./messages-dead.ts')).runMessagesDead,
  },
  ...POOL_COMMANDS,
  ...FILE_COMMANDS,
  {
    name: 'secrets reencrypt',
    aliases: ['secrets reseal'],
    operands: [],
    summary: 'Encrypt everything in the database under the first secret of POOLGATE_SECRET.',
    details: [
      'Then the older ones can be taken out: docs/how-to/rotate-secrets.md says in which steps. Services may run meanwhile; what they write is never overwritten.',
      'It changes nothing while a running service lacks the first secret, and names that service.',
      'Who is interrupted runs it again. The exit code is 1 where something is left.',
    ],
    options: [JSON_OUTPUT],
    load: async () => (await import('./secrets-reencrypt.ts')).runSecretsReencrypt,
  },
  {
    name: 'admin-key create',
    operands: ['label'],
    summary: 'Create an admin key. Its secret is printed once.',
    details: [
      'Scopes: users:read, users:write, groups:write, mfa:write, sessions:write, pool:read, pool:write, clients:write, webhooks:write, audit:read.',
    ],
    options: [
      {
        name: 'scope',
        placeholder: 'scope',
        multiple: true,
        help: 'A right, e.g. users:read. May be repeated. At least one is needed.',
      },
      { name: 'days', placeholder: 'days', help: 'After how many days it expires, 1 to 3650. 365 when left out.' },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./admin-key-create.ts')).runAdminKeyCreate,
  },
  {
    name: 'admin-key list',
    operands: [],
    summary: 'List the admin keys, without secrets: until when they are good, and when they were used last.',
    options: [JSON_OUTPUT],
    load: async () => (await import('./admin-key-list.ts')).runAdminKeyList,
  },
  {
    name: 'admin-key rotate',
    operands: ['id'],
    summary: 'Create a successor of an admin key, with its label, scopes and life. Its secret is printed once.',
    options: [
      {
        name: 'overlap',
        placeholder: 'hours',
        help: 'For how many hours the old key stays good, 0 to 720. 24 when left out.',
      },
      JSON_OUTPUT,
    ],
    load: async () => (await import('./admin-key-rotate.ts')).runAdminKeyRotate,
  },
  {
    name: 'admin-key revoke',
    operands: ['id'],
    summary: 'Revoke an admin key: the next request with it is refused.',
    options: [],
    load: async () => (await import('./admin-key-revoke.ts')).runAdminKeyRevoke,
  },
];
