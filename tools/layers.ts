/**
 * The folders of every package, from bottom to top: a folder imports only folders that come before it. `tools/dependency-rules.ts` writes
 * lint rules from this table, and `tools/folder-graph.ts` checks the imports against it. Add a row here when you add a folder.
 */

/** A folder below `src`, or a group of folders that must not import each other. `.` means the files directly in `src`. */
type Layer = string | readonly string[];

export const LAYERS: Readonly<Record<string, readonly Layer[]>> = {
  srp: ['.'],
  contract: ['.'],
  provider: ['.', 'aws-json'],
  client: [
    'transport',
    ['srp', 'devices', 'passkeys'],
    'passwords',
    'login/steps',
    'login',
    ['account', 'modes', 'server'],
    '.',
  ],
  // The pages are built from the elements that the package exports.
  elements: [['translations', 'look'], 'ui', 'steps', 'elements', 'account', '.', 'pages'],
  console: [['translations', 'api'], 'ui', 'screens', 'app', '.'],
  pool: [
    'store',
    'kernel',
    'branding',
    'settings',
    'identity',
    'triggers',
    'delivery/languages',
    'delivery',
    'tokens',
    'proofs/lockouts',
    'proofs/codes',
    'proofs/totp',
    'proofs/passwords',
    'proofs/passkeys',
    'proofs/devices',
    'proofs',
    'users',
    'recovery',
    'sessions',
    'registrations',
    'login/challenges',
    'login',
    'federation',
    'oauth',
    'operations',
    '.',
  ],
  'provider-cognito': ['options', 'limits', 'upstream', 'pool', '.'],
  gateway: [
    'records',
    'kernel',
    ['pages', 'docs-page'],
    ['limits', 'credentials', 'web-sessions'],
    'runtime',
    'events',
    'guards',
    'users',
    ['sessions', 'challenges', 'remembered-devices', 'webhooks'],
    // One folder for each family of handlers.
    ['login', 'devices', 'mfa', 'passkeys', 'admin', 'account', 'tokens', 'service'],
    'export',
    'web',
    ['web/forward-auth', 'oauth', 'console'],
    'http',
    '.',
  ],
  store: ['sql', ['sqlite', 'postgres', 'encrypted'], 'events', 'gateway', 'pool', 'migrations', '.'],
  poolgate: [
    'process',
    'secrets',
    'config',
    'command-line',
    'pages/brand',
    ['documentation', 'hooks', 'pages', 'passwords', 'senders', 'threads', 'tls'],
    ['federation', 'triggers'],
    'providers',
    'observability',
    'snapshots',
    'container',
    'files/sources',
    'files/resources',
    'files/templates',
    'files/plan',
    'files/apply',
    'files/outputs',
    'service',
    'doctor/findings',
    'doctor/subjects',
    'doctor/live',
    ['doctor', 'user-files'],
    'commands',
    '.',
  ],
};

/** Returns the folders that a folder must not import: those above it, and the others of its group. */
export function listForbiddenFolders(layers: readonly Layer[], folder: string): readonly string[] {
  const place = layers.findIndex((layer) => [layer].flat().includes(folder));
  if (place < 0) throw new RangeError(`tools/layers.ts does not list the folder ${folder}`);
  return layers
    .slice(place)
    .flat()
    .filter((other) => other !== folder);
}
