import { type Command, type CommandOption, JSON_OUTPUT, POOL_OPTION } from '../command-line/command.ts';

const GROUP_OPTIONS: readonly CommandOption[] = [
  { name: 'description', placeholder: 'text', help: 'What the group is for.' },
  {
    name: 'precedence',
    placeholder: 'number',
    help: 'A number from 0. The role of the group with the lowest number wins.',
  },
];
const SERVER_OPTIONS: readonly CommandOption[] = [
  { name: 'name', placeholder: 'name', help: 'A display name.' },
  {
    name: 'scope',
    placeholder: 'name[=description]',
    multiple: true,
    help: 'A scope, e.g. read or "read=Read orders". May be repeated.',
  },
];

const PROVIDER_OPTIONS: readonly CommandOption[] = [
  { name: 'client-id', placeholder: 'id', help: 'The id of this service at the provider.' },
  { name: 'issuer', placeholder: 'url', help: 'The issuer of an OIDC provider.' },
  {
    name: 'scope',
    placeholder: 'scope',
    multiple: true,
    help: 'A scope to request. May be repeated. Default: openid email profile.',
  },
  {
    name: 'detail',
    placeholder: 'name=value',
    multiple: true,
    help: 'Another member of ProviderDetails, e.g. team_id=… May be repeated.',
  },
  {
    name: 'map',
    placeholder: 'attribute=claim',
    multiple: true,
    help: 'An attribute, and the claim that it is copied from. May be repeated. Default: email and email_verified.',
  },
  {
    name: 'identifier',
    placeholder: 'text',
    multiple: true,
    help: 'Another name of the provider, such as the email domain of its users. May be repeated.',
  },
  {
    name: 'link-by',
    placeholder: 'email=claim',
    help: 'Links accounts to local users with the same verified address if this claim is true. Empty: no rule. Read the guide first.',
  },
];

/** The commands for a pool, and for its groups, resource servers, domains and signing keys. */
export const POOL_COMMANDS: readonly Command[] = [
  {
    name: 'describe',
    operands: [],
    summary: 'Show the settings of the pool, and which of them this service does not support.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./describe.ts')).runDescribe,
  },
  {
    name: 'issuer update',
    operands: ['pool-id'],
    summary: 'Give another pool the issuer that IDP_ISSUER selects for new pools.',
    details: [
      'The pool that the service serves takes its issuer at start.',
      'Tokens with the previous issuer are no longer accepted: users sign in again, and applications must expect the new issuer.',
    ],
    options: [],
    load: async () => (await import('./issuer-update.ts')).runIssuerUpdate,
  },
  {
    name: 'group create',
    operands: ['name'],
    summary: 'Create a group.',
    options: [...GROUP_OPTIONS, POOL_OPTION],
    load: async () => (await import('./groups.ts')).runGroupCreate,
  },
  {
    name: 'group list',
    operands: [],
    summary: 'List the groups of the pool.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./groups.ts')).runGroupList,
  },
  {
    name: 'group update',
    operands: ['name'],
    summary: 'Change the description or the precedence of a group.',
    options: [...GROUP_OPTIONS, POOL_OPTION],
    load: async () => (await import('./groups.ts')).runGroupUpdate,
  },
  {
    name: 'group delete',
    operands: ['name'],
    summary: 'Delete a group. Its members stay.',
    options: [POOL_OPTION],
    load: async () => (await import('./groups.ts')).runGroupDelete,
  },
  {
    name: 'group add-user',
    operands: ['name', 'username'],
    summary: 'Add a user to a group. New tokens of the user contain the group.',
    options: [POOL_OPTION],
    load: async () => (await import('./groups.ts')).runGroupAddUser,
  },
  {
    name: 'group remove-user',
    operands: ['name', 'username'],
    summary: 'Remove a user from a group.',
    options: [POOL_OPTION],
    load: async () => (await import('./groups.ts')).runGroupRemoveUser,
  },
  {
    name: 'resource-server create',
    operands: ['identifier'],
    summary: 'Create a resource server, which is an API with its own scopes.',
    details: ['App clients ask for its scopes as <identifier>/<scope>: poolgate client create --scope.'],
    options: [...SERVER_OPTIONS, POOL_OPTION],
    load: async () => (await import('./resource-servers.ts')).runResourceServerCreate,
  },
  {
    name: 'resource-server list',
    operands: [],
    summary: 'List the resource servers of the pool.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./resource-servers.ts')).runResourceServerList,
  },
  {
    name: 'resource-server update',
    operands: ['identifier'],
    summary: 'Change the name or the scopes of a resource server. The scopes replace the current ones.',
    options: [...SERVER_OPTIONS, POOL_OPTION],
    load: async () => (await import('./resource-servers.ts')).runResourceServerUpdate,
  },
  {
    name: 'resource-server delete',
    operands: ['identifier'],
    summary: 'Delete a resource server and its scopes.',
    options: [POOL_OPTION],
    load: async () => (await import('./resource-servers.ts')).runResourceServerDelete,
  },
  {
    name: 'provider create',
    operands: ['name'],
    summary: 'Let users sign in with another identity provider. The command prompts for its secret.',
    details: [
      'A provider that is named Google, SignInWithApple, Facebook or LoginWithAmazon has that type; others are OIDC.',
      'Register <base URL>/oauth2/idpresponse as the redirect URI at the provider.',
    ],
    options: [
      { name: 'type', placeholder: 'type', help: 'OIDC, Google, SignInWithApple, Facebook or LoginWithAmazon.' },
      ...PROVIDER_OPTIONS,
      { name: 'public', help: 'The provider issued no secret.' },
      POOL_OPTION,
    ],
    load: async () => (await import('./identity-providers.ts')).runProviderCreate,
  },
  {
    name: 'provider list',
    operands: [],
    summary: 'List the identity providers of the pool.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./identity-providers.ts')).runProviderList,
  },
  {
    name: 'provider update',
    operands: ['name'],
    summary: 'Change an identity provider. What you leave out stays as it is.',
    details: ['To replace the secret, add a second one at the provider, set it here, then remove the old one there.'],
    options: [...PROVIDER_OPTIONS, { name: 'secret', help: 'Ask for a new secret.' }, POOL_OPTION],
    load: async () => (await import('./identity-providers.ts')).runProviderUpdate,
  },
  {
    name: 'provider delete',
    operands: ['name'],
    summary: 'Delete an identity provider. Its users stay, but cannot sign in with it.',
    options: [POOL_OPTION],
    load: async () => (await import('./identity-providers.ts')).runProviderDelete,
  },
  {
    name: 'domain create',
    operands: ['domain'],
    summary: 'Give the pool a domain (a prefix or a full host name). This enables its OAuth endpoints.',
    options: [
      {
        name: 'certificate-arn',
        placeholder: 'arn',
        help: 'The certificate of a full host name on Amazon Cognito. The embedded pool does not need one.',
      },
      POOL_OPTION,
    ],
    load: async () => (await import('./domains.ts')).runDomainCreate,
  },
  {
    name: 'domain list',
    operands: [],
    summary: 'List the domains of the pool.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./domains.ts')).runDomainList,
  },
  {
    name: 'domain delete',
    operands: ['domain'],
    summary: 'Remove a domain. A pool without a domain has no OAuth endpoints.',
    options: [POOL_OPTION],
    load: async () => (await import('./domains.ts')).runDomainDelete,
  },
  {
    name: 'keys list',
    operands: [],
    summary: 'List the published signing keys and mark those that sign.',
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./signing-keys.ts')).runKeysList,
  },
  {
    name: 'keys rotate',
    operands: [],
    summary: 'Sign with new keys. The old ones stay published until their last token has expired.',
    details: ['Prints every published key and marks those that sign.'],
    options: [POOL_OPTION, JSON_OUTPUT],
    load: async () => (await import('./signing-keys.ts')).runKeysRotate,
  },
];
