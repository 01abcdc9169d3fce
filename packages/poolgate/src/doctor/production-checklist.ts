import type { Configuration } from '../config/configuration.ts';
import { isLoopback } from '../config/mode.ts';
import type { ServedPool } from '../providers/backend.ts';
import { requiresRecentLoginEverywhere } from '../providers/start-warnings.ts';
import { type CheckRow, createOkFinding, createWarning } from './findings/finding.ts';

/** An item of the production checklist. */
export interface ChecklistRow {
  /** The same as in docs/how-to/production.md. */
  readonly name: string;
  readonly isDone: (configuration: Configuration, served: ServedPool | undefined) => boolean;
  readonly doneText: string;
  readonly openText: string;
  readonly advice: string;
}

/** The items that the configuration can answer. The guide has those that only people can answer. */
export const PRODUCTION_CHECKLIST: readonly ChecklistRow[] = [
  {
    name: 'mode',
    isDone: ({ mode }) => mode === 'production',
    doneText: 'The production rules apply.',
    openText: 'The service runs in development mode, with its own secrets, a demo user and an outbox.',
    advice: 'Set NODE_ENV=production, BASE_URL and POOLGATE_SECRET.',
  },
  {
    name: 'https',
    isDone: ({ settings: { baseUrl = '' } }) => baseUrl.startsWith('https:'),
    doneText: 'Clients use https.',
    openText: 'Clients use http, so others on the network can read passwords and tokens.',
    advice: 'Put TLS in front, or set POOLGATE_TLS_CERT and POOLGATE_TLS_KEY. Then use https in BASE_URL.',
  },
  {
    name: 'proxy',
    isDone: ({ settings: { host, trustedProxies, tlsCert } }) =>
      trustedProxies.length > 0 || (tlsCert !== undefined && !isLoopback(host)),
    doneText: 'Trusted proxies are configured, so limits count clients.',
    openText: 'No proxy is trusted. Behind a proxy, all clients would share one limit.',
    advice: 'List the addresses of your proxy in POOLGATE_TRUSTED_PROXIES.',
  },
  {
    name: 'database',
    isDone: ({ settings: { databaseUrl } }) => /^postgres(ql)?:/.test(databaseUrl),
    doneText: 'PostgreSQL: any number of replicas.',
    openText: 'SQLite: fine for one process, but no second process can take over.',
    advice: 'Back it up with poolgate backup. Use PostgreSQL if the service must survive the loss of a machine.',
  },
  {
    name: 'mail',
    isDone: ({ settings: { provider, smtpUrl } }) => provider === 'cognito' || smtpUrl !== undefined,
    doneText: 'Email can be sent.',
    openText: 'Email cannot be sent, so users cannot sign up or reset a password.',
    advice: 'Set POOLGATE_SMTP_URL and POOLGATE_MAIL_FROM.',
  },
  {
    name: 'metrics',
    isDone: ({ settings: { metricsPort } }) => metricsPort !== undefined,
    doneText: 'Metrics are served.',
    openText: 'Metrics are not served, so the service cannot be monitored.',
    advice: 'Set POOLGATE_METRICS_PORT and use deploy/prometheus and deploy/grafana.',
  },
  {
    name: 'second factor',
    isDone: ({ settings: { mfaSetup } }) => mfaSetup !== 'OFF',
    doneText: 'Users can have a second factor.',
    openText: 'Users cannot have a second factor.',
    advice: 'Set IDP_MFA_SETUP=OPTIONAL, or ON.',
  },
  {
    name: 'passkeys',
    isDone: ({ settings: { allowPasskeys, rpId } }) => !allowPasskeys || rpId !== undefined,
    doneText: 'Passkeys are bound to a domain or turned off.',
    openText: 'Passkeys are on, but BASE_URL does not allow them.',
    advice: 'Set IDP_RP_ID and IDP_ORIGINS before users create passkeys. A later change invalidates them.',
  },
  {
    name: 'assisted answers',
    isDone: ({ settings: { srpAssisted } }) => !srpAssisted,
    doneText: 'Clients never send password equivalents.',
    openText: 'Clients may send password hashes and private SRP values.',
    advice: 'Set IDP_SRP_ASSISTED=false if all clients compute signatures themselves, as @poolgate/client does.',
  },
  {
    name: 'old logins',
    isDone: ({ settings }, served) => {
      const recentLoginOnCognitoApi = served?.recentLoginOnCognitoApi ?? settings.freshProofWire ?? true;
      return settings.provider === 'cognito' || requiresRecentLoginEverywhere(settings, { recentLoginOnCognitoApi });
    },
    doneText: 'Sign-in methods change only after a recent login.',
    openText: 'On the Cognito-compatible API, any access token can change sign-in methods.',
    advice: 'Set IDP_FRESH_PROOF_WIRE=true, or POOLGATE_WIRE=false.',
  },
  {
    name: 'leaked passwords',
    isDone: ({ settings: { provider, breachedPasswords } }) => provider === 'cognito' || breachedPasswords !== 'off',
    doneText: 'New passwords from known data breaches are refused.',
    openText: 'New passwords are not checked against known data breaches.',
    advice: 'Set POOLGATE_BREACHED_PASSWORDS.',
  },
  {
    name: 'bootstrap key',
    isDone: ({ settings: { bootstrapAdminKey } }) => bootstrapAdminKey === undefined,
    doneText: 'The environment contains no admin key.',
    openText: 'The environment contains an admin key with every scope.',
    advice: 'Create keys with least privilege (poolgate admin-key create) and unset the variable.',
  },
];

/**
 * Runs the production checklist.
 * @param served undefined if the provider could not be opened
 */
export function runProductionChecklist(configuration: Configuration, served?: ServedPool): readonly CheckRow[] {
  return PRODUCTION_CHECKLIST.map(({ name, isDone: holds, doneText, openText, advice }) => ({
    check: `list: ${name}`,
    ...(holds(configuration, served) ? createOkFinding(doneText) : createWarning(openText, advice)),
  }));
}
