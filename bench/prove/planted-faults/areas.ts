/** The areas with planted faults: globs of sources, by purpose. */
export type Areas = Readonly<Record<string, readonly string[]>>;

/** Areas in which a fault is a vulnerability. */
export const AREAS: Areas = {
  guards: ['packages/gateway/src/{guards,credentials}/*.ts', 'packages/gateway/src/http/*.ts'],
  login: ['packages/pool/src/login/*.ts', 'packages/gateway/src/login/*.ts'],
  challenges: ['packages/pool/src/login/challenges/**/*.ts', 'packages/pool/src/proofs/**/*.ts'],
  operations: ['packages/pool/src/operations/*.ts'],
  tokens: ['packages/pool/src/{tokens,sessions}/**/*.ts', 'packages/gateway/src/tokens/*.ts'],
  limits: [
    'packages/gateway/src/limits/*.ts',
    'packages/gateway/src/kernel/bounded-map.ts',
    'packages/pool/src/kernel/source-network.ts',
    'packages/pool/src/proofs/lockouts/*.ts',
    'packages/pool/src/delivery/{rate-allowances,retry-backoff,message-limits,send-limits}.ts',
    'packages/provider-cognito/src/limits/*.ts',
  ],
  messages: ['packages/pool/src/delivery/*.ts', 'packages/poolgate/src/senders/*.ts'],
  store: ['packages/store/src/**/*.ts'],
  web: ['packages/gateway/src/{web,web-sessions}/**/*.ts'],
  oauth: ['packages/gateway/src/oauth/*.ts', 'packages/pool/src/oauth/**/*.ts'],
  triggers: ['packages/pool/src/triggers/*.ts', 'packages/poolgate/src/triggers/*.ts'],
  users: ['packages/pool/src/{identity,settings,users,recovery,registrations}/**/*.ts'],
  handlers: [
    'packages/gateway/src/{account,admin,challenges,devices,events,mfa,passkeys}/**/*.ts',
    'packages/gateway/src/{remembered-devices,service,sessions,users,webhooks}/**/*.ts',
  ],
  port: ['packages/provider/src/**/*.ts', 'packages/provider-cognito/src/{options,pool,upstream}/**/*.ts'],
  srp: ['packages/srp/src/**/*.ts'],
  contract: ['packages/contract/src/**/*.ts'],
  client: ['packages/client/src/**/*.ts'],
  elements: ['packages/elements/src/**/*.ts'],
  kernel: ['packages/gateway/src/{docs-page,kernel,pages,records,runtime}/*.ts', 'packages/pool/src/kernel/*.ts'],
  program: ['packages/poolgate/src/**/*.ts'],
};

/** Sources in which a fault is not a fault of the service. */
export const NOT_PLANTED = [
  '**/*.test.ts',
  '**/testing/**',
  '**/migrations/**',
  '**/languages/**',
  '**/translations/**',
  '**/dist/**',
];
