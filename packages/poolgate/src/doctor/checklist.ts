import type { Configuration } from '../config/configuration.ts';
import { isLoopback } from '../config/mode.ts';
import { requiresRecentLoginEverywhere } from '../notices.ts';
import type { ServedPool } from '../providers/backend.ts';
import { type CheckRow, ok, warn } from './finding.ts';

/** A point of the list for production. */
export interface ChecklistRow {
  /** Stands in docs/production.md, too. */
  readonly name: string;
  readonly holds: (configuration: Configuration, served: ServedPool | undefined) => boolean;
  readonly done: string;
  readonly open: string;
  readonly advice: string;
}

/** What the configuration can tell about how a service for others should be run. What only people know stands in the guide. */
export const CHECKLIST: readonly ChecklistRow[] = [
  {
    name: 'mode',
    holds: ({ mode }) => mode === 'production',
    done: 'The rules of production apply.',
    open: 'This is a development start: it makes its own secrets, a demo user and an outbox.',
    advice: 'Set NODE_ENV=production, BASE_URL and POOLGATE_SECRET.',
  },
  {
    name: 'https',
    holds: ({ settings: { baseUrl = '' } }) => baseUrl.startsWith('https:'),
    done: 'Clients come by https.',
    open: 'Clients come by http: passwords and tokens can be read on the way.',
    advice: 'Put TLS in front, or set POOLGATE_TLS_CERT and POOLGATE_TLS_KEY; then say https in BASE_URL.',
  },
  {
    name: 'proxy',
    holds: ({ settings: { host, trustedProxies, tlsCert } }) =>
      trustedProxies.length > 0 || (tlsCert !== undefined && !isLoopback(host)),
    done: 'It is said who stands in front, so limits count clients.',
    open: 'No proxy is trusted: behind one, everybody shares its limits.',
    advice: 'Name the addresses of the proxy in POOLGATE_TRUSTED_PROXIES.',
  },
  {
    name: 'database',
    holds: ({ settings: { databaseUrl } }) => /^postgres(ql)?:/.test(databaseUrl),
    done: 'PostgreSQL: any number of replicas.',
    open: 'SQLite: right for one process, and no second one can take over.',
    advice: 'Back it up with poolgate backup; take PostgreSQL where the service must outlive a machine.',
  },
  {
    name: 'mail',
    holds: ({ settings: { provider, smtpUrl } }) => provider === 'cognito' || smtpUrl !== undefined,
    done: 'Mail can be sent.',
    open: 'No mail can be sent: nobody can sign up or reset a password.',
    advice: 'Set POOLGATE_SMTP_URL and POOLGATE_MAIL_FROM.',
  },
  {
    name: 'metrics',
    holds: ({ settings: { metricsPort } }) => metricsPort !== undefined,
    done: 'Metrics are served.',
    open: 'Nobody can see how it does.',
    advice: 'Set POOLGATE_METRICS_PORT, and take deploy/prometheus and deploy/grafana.',
  },
  {
    name: 'second factor',
    holds: ({ settings: { mfaSetup } }) => mfaSetup !== 'OFF',
    done: 'Users can have a second factor.',
    open: 'Nobody can have a second factor.',
    advice: 'Set IDP_MFA_SETUP=OPTIONAL, or ON.',
  },
  {
    name: 'passkeys',
    holds: ({ settings: { allowPasskeys, rpId } }) => !allowPasskeys || rpId !== undefined,
    done: 'Passkeys are for a domain, or off.',
    open: 'Passkeys are on, and there are none at BASE_URL.',
    advice: 'Set IDP_RP_ID and IDP_ORIGINS before users make any: a later change makes them useless.',
  },
  {
    name: 'assisted answers',
    holds: ({ settings: { srpAssisted } }) => !srpAssisted,
    done: 'No client sends what is as good as a password.',
    open: 'Clients may send password hashes and private values of SRP.',
    advice: 'Set IDP_SRP_ASSISTED=false where all clients sign by themselves, as @poolgate/client does.',
  },
  {
    name: 'old logins',
    holds: ({ settings }, served) => {
      const recentLoginOnCognitoApi = served?.recentLoginOnCognitoApi ?? settings.freshProofWire ?? true;
      return settings.provider === 'cognito' || requiresRecentLoginEverywhere(settings, { recentLoginOnCognitoApi });
    },
    done: 'Sign-in methods change only after a recent login.',
    open: 'At the Cognito-compatible API, sign-in methods change by any access token.',
    advice: 'Set IDP_FRESH_PROOF_WIRE=true, or POOLGATE_WIRE=false.',
  },
  {
    name: 'leaked passwords',
    holds: ({ settings: { provider, breachedPasswords } }) => provider === 'cognito' || breachedPasswords !== 'off',
    done: 'New passwords that have leaked are refused.',
    open: 'New passwords are not compared with those that have leaked.',
    advice: 'Set POOLGATE_BREACHED_PASSWORDS.',
  },
  {
    name: 'bootstrap key',
    holds: ({ settings: { bootstrapAdminKey } }) => bootstrapAdminKey === undefined,
    done: 'No admin key stands in the environment.',
    open: 'An admin key with every scope stands in the environment.',
    advice: 'Make keys with the scopes that are needed by poolgate admin-key create, and take the variable out.',
  },
];

/**
 * Goes through the list for production.
 * @param served undefined where the provider could not be opened
 */
export function walkChecklist(configuration: Configuration, served?: ServedPool): readonly CheckRow[] {
  return CHECKLIST.map(({ name, holds, done, open, advice }) => ({
    check: `list: ${name}`,
    ...(holds(configuration, served) ? ok(done) : warn(open, advice)),
  }));
}
