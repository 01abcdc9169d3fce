import { type Command, type CommandOption, JSON_OUTPUT, POOL_OPTION } from '../command-line/command.ts';

const SETTINGS: readonly CommandOption[] = [
  {
    name: 'callback',
    placeholder: 'url',
    multiple: true,
    help: 'Where users may return after they sign in. May be repeated.',
  },
  {
    name: 'logout',
    placeholder: 'url',
    multiple: true,
    help: 'Where users may return after they sign out. May be repeated.',
  },
  {
    name: 'flow',
    placeholder: 'flow',
    multiple: true,
    help: 'An OAuth grant: code, implicit or client_credentials. May be repeated.',
  },
  {
    name: 'scope',
    placeholder: 'scope',
    multiple: true,
    help: 'A scope that the client may request. May be repeated.',
  },
  {
    name: 'identity-provider',
    placeholder: 'name',
    multiple: true,
    help: 'An identity provider whose users may sign in; COGNITO for users of the pool. May be repeated.',
  },
  {
    name: 'auth-flow',
    placeholder: 'flow',
    multiple: true,
    help: 'An API authentication flow, e.g. ALLOW_USER_SRP_AUTH. May be repeated.',
  },
  {
    name: 'rotation',
    placeholder: 'seconds|off',
    help: 'Rotate refresh tokens; the old token stays valid for this many seconds, 0 to 60.',
  },
];

/** The commands for app clients. */
export const CLIENT_COMMANDS: readonly Command[] = [
  {
    name: 'client create',
    operands: ['name'],
    summary: 'Create an app client. Its secret, if it has one, is printed once.',
    details: [
      'With --callback the client can use the OAuth code flow, with the scopes openid, email and profile.',
      'Public clients of the code flow rotate their refresh tokens. A client for client_credentials always has a secret.',
    ],
    options: [
      ...SETTINGS,
      { name: 'secret', help: 'Give the client a secret, for applications that run on a server.' },
      POOL_OPTION,
      JSON_OUTPUT,
    ],
    load: async () => (await import('./client-create.ts')).runClientCreate,
  },
  {
    name: 'client list',
    operands: [],
    summary: 'List the app clients of the pool.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./client-list.ts')).runClientList,
  },
  {
    name: 'client show',
    operands: ['client-id'],
    summary: 'Show an app client, without its secrets.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./client-show.ts')).runClientShow,
  },
  {
    name: 'client update',
    operands: ['client-id'],
    summary: 'Change settings of an app client. Settings that you leave out stay the same.',
    details: [
      'A repeatable option replaces the whole list, so name every value to keep. An empty value clears the list.',
      'To rotate a secret, add a second one, deploy it to the application, then remove the old one.',
    ],
    options: [
      { name: 'name', placeholder: 'name', help: 'A new name.' },
      ...SETTINGS,
      {
        name: 'set',
        placeholder: 'setting=value',
        multiple: true,
        help: "A setting beyond Cognito's, e.g. jwks_uri=https://… The value is JSON or text; null restores the default. May be repeated.",
      },
      { name: 'add-secret', help: 'Add a second secret, which is printed once. Both secrets are valid.' },
      { name: 'remove-secret', placeholder: 'secret-id', help: 'Remove a secret. `client show` lists the secret IDs.' },
      POOL_OPTION,
      JSON_OUTPUT,
    ],
    load: async () => (await import('./client-update.ts')).runClientUpdate,
  },
  {
    name: 'client delete',
    operands: ['client-id'],
    summary: 'Delete an app client.',
    options: [POOL_OPTION],
    load: async () => (await import('./client-delete.ts')).runClientDelete,
  },
];
