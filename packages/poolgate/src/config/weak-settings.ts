import type { Configuration } from './configuration.ts';
import { findIpv4PrefixLength } from './ipv4-prefix.ts';
import { isLoopback } from './mode.ts';
import { listPostgresUrls } from './postgres-urls.ts';
import { isRepetitiveSecret } from './repetitive-secret.ts';
import { SETTINGS, type Settings } from './settings.ts';

/** A setting that works but protects less than it could. */
export interface WeakSetting {
  readonly finding: string;
  readonly advice: string;
}

interface Row extends WeakSetting {
  readonly applies: (configuration: Configuration) => boolean;
}

const LIMITS = {
  limitReads: 'a single address can send unlimited requests',
  limitLoginSteps: 'a single address can send unlimited requests',
  limitUserSteps: 'many addresses together can try one user without a limit',
} as const;

function createLimitRow(name: keyof typeof LIMITS): Row {
  const { env } = SETTINGS[name];
  return {
    applies: ({ settings }) => settings[name] === 0,
    finding: `${env} is 0: ${LIMITS[name]}.`,
    advice: `Unset ${env} or raise it.`,
  };
}

/** The minimum prefix of a proxy range; no real proxy network is wider. */
const MIN_PREFIX = { ipv4: 8, ipv6: 16 } as const;

function isWideRange(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  const isShort = address.includes(':') && prefix !== undefined && Number(prefix) < MIN_PREFIX.ipv6;
  return isShort || (findIpv4PrefixLength(range) ?? MIN_PREFIX.ipv4) < MIN_PREFIX.ipv4;
}

/** Modes that encrypt a PostgreSQL connection and verify the server. `require` alone is treated as `verify-full`. */
const VERIFYING = new Set(['require', 'verify-ca', 'verify-full']);
const IS_ON = new Set(['true', '1']);

/** Whether a connection leaves this machine unencrypted, or to an unverified server. */
function hasUnprotectedPostgres({ databaseUrl }: Settings): boolean {
  return listPostgresUrls(databaseUrl).some(isUnprotectedServer);
}

function isUnprotectedServer({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host === '' || host.startsWith('/') || isLoopback(host)) return false;
  if (IS_ON.has(searchParams.get('ssl') ?? '')) return false;
  const mode = searchParams.get('sslmode') ?? '';
  return !VERIFYING.has(mode) || (mode === 'require' && searchParams.get('uselibpqcompat') === 'true');
}

const ROWS: readonly Row[] = [
  {
    applies: ({ isExposed }) => isExposed,
    finding:
      'POOLGATE_DEVELOPMENT is true and others can reach this service, so its secrets, users and messages are not protected.',
    advice: 'Run it like this only if no one else can reach it, e.g. with the container port bound to 127.0.0.1.',
  },
  {
    applies: ({ settings: { baseUrl } }) =>
      baseUrl?.startsWith('http:') === true && !isLoopback(new URL(baseUrl).hostname),
    finding: 'BASE_URL is http, so passwords and tokens are sent unencrypted.',
    advice: 'Put TLS in front of the service and use https in BASE_URL.',
  },
  {
    applies: ({ settings: { secrets = [] } }) => secrets.slice(1).some(isRepetitiveSecret),
    finding: 'An older secret in POOLGATE_SECRET is not random enough.',
    advice: 'Run poolgate secrets reencrypt, then remove it.',
  },
  {
    applies: ({ settings }) => settings.trustedProxies.some(isWideRange),
    finding:
      'POOLGATE_TRUSTED_PROXIES contains a very wide range. Anyone in it can forge the address that rate limits use.',
    advice: 'List only the addresses of your proxies.',
  },
  {
    applies: ({ settings }) => hasUnprotectedPostgres(settings),
    finding:
      'DATABASE_URL points to a remote PostgreSQL server without verified TLS. Anyone on the network path can read and change all data.',
    advice:
      'Add sslmode=verify-full to DATABASE_URL, and sslrootcert=<file> if a private authority issued the certificate of the server.',
  },
  ...(Object.keys(LIMITS) as (keyof typeof LIMITS)[]).map(createLimitRow),
  {
    applies: ({ settings }) => settings.privateFederation,
    finding:
      'POOLGATE_FEDERATION_PRIVATE is true: anyone who may add identity providers can send requests into your network.',
    advice: 'Leave it out, unless an identity provider of yours has no public https address.',
  },
  {
    applies: ({ settings }) => settings.privateWebhooks,
    finding: 'POOLGATE_WEBHOOK_PRIVATE is true. Anyone who can add webhooks can send requests into your network.',
    advice: 'Unset it unless one of your receivers has no public https address.',
  },
];

/** The settings that protect less than they could, in any mode. None is disabled silently. */
export function findWeakSettings(configuration: Configuration): readonly WeakSetting[] {
  return ROWS.filter(({ applies }) => applies(configuration)).map(({ finding, advice }) => ({ finding, advice }));
}
