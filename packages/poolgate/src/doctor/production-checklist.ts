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
    doneText: 'The rules of production apply.',
    openText: 'This is a development start: it makes its own secrets, a demo user and an outbox.',
    advice: 'Set NODE_ENV=production, BASE_URL and POOLGATE_SECRET.',
  },
  {
    name: 'https',
    isDone: ({ settings: { baseUrl = '' } }) => baseUrl.startsWith('https:'),
    doneText: 'Clients come by https.',
    openText: 'Clients come by http: passwords and tokens can be read on the way.',
    advice: 'Put TLS in front, or set POOLGATE_TLS_CERT and POOLGATE_TLS_KEY; then say https in BASE_URL.',
  },
  {
    name: 'proxy',
    isDone: ({ settings: { host, trustedProxies, tlsCert } }) =>
      trustedProxies.length > 0 || (tlsCert !== undefined && !isLoopback(host)),
    doneText: 'It is said who stands in front, so limits count clients.',
    openText: 'No proxy is trusted: behind one, everybody shares its limits.',
    advice: 'Name the addresses of the proxy in POOLGATE_TRUSTED_PROXIES.',
  },
  {
    name: 'database',
    isDone: ({ settings: { databaseUrl } }) => /^postgres(ql)?:/.test(databaseUrl),
    doneText: 'PostgreSQL: any number of replicas.',
    openText: 'SQLite: right for one process, and no second one can take over.',
    advice: 'Back it up with poolgate backup; take PostgreSQL where the service must outlive a machine.',
  },
  {
    name: 'mail',
    isDone: ({ settings: { provider, smtpUrl } }) => provider === 'cognito' || smtpUrl !== undefined,
    doneText: 'Mail can be sent.',
    openText: 'No mail can be sent: nobody can sign up or reset a password.',
    advice: 'Set POOLGATE_SMTP_URL and POOLGATE_MAIL_FROM.',
  },
  {
    name: 'metrics',
    isDone: ({ settings: { metricsPort } }) => metricsPort !== undefined,
    doneText: 'Metrics are served.',
    openText: 'Nobody can see how it does.',
    advice: 'Set POOLGATE_METRICS_PORT, and take deploy/prometheus and deploy/grafana.',
  },
  {
    name: 'second factor',
    isDone: ({ settings: { mfaSetup } }) => mfaSetup !== 'OFF',
    doneText: 'Users can have a second factor.',
    openText: 'Nobody can have a second factor.',
    advice: 'Set IDP_MFA_SETUP=OPTIONAL, or ON.',
  },
  {
    name: 'passkeys',
    isDone: ({ settings: { allowPasskeys, rpId } }) => !allowPasskeys || rpId !== undefined,
    doneText: 'Passkeys are for a domain, or off.',
    openText: 'Passkeys are on, and there are none at BASE_URL.',
    advice: 'Set IDP_RP_ID and IDP_ORIGINS before users make any: a later change makes them useless.',
  },
  {
    name: 'assisted answers',
    isDone: ({ settings: { srpAssisted } }) => !srpAssisted,
    doneText: 'No client sends what is as good as a password.',
    openText: 'Clients may send password hashes and private values of SRP.',
    advice: 'Set IDP_SRP_ASSISTED=false where all clients sign by themselves, as @poolgate/client does.',
  },
  {
    name: 'old logins',
    isDone: ({ settings }, served) => {
      const recentLoginOnCognitoApi = served?.recentLoginOnCognitoApi ?? settings.freshProofWire ?? true;
      return settings.provider === 'cognito' || requiresRecentLoginEverywhere(settings, { recentLoginOnCognitoApi });
    },
    doneText: 'Sign-in methods change only after a recent login.',
    openText: 'At the Cognito-compatible API, sign-in methods change by any access token.',
    advice: 'Set IDP_FRESH_PROOF_WIRE=true, or POOLGATE_WIRE=false.',
  },
  {
    name: 'leaked passwords',
    isDone: ({ settings: { provider, breachedPasswords } }) => provider === 'cognito' || breachedPasswords !== 'off',
    doneText: 'New passwords that have leaked are refused.',
    openText: 'New passwords are not compared with those that have leaked.',
    advice: 'Set POOLGATE_BREACHED_PASSWORDS.',
  },
  {
    name: 'bootstrap key',
    isDone: ({ settings: { bootstrapAdminKey } }) => bootstrapAdminKey === undefined,
    doneText: 'No admin key stands in the environment.',
    openText: 'An admin key with every scope stands in the environment.',
    advice: 'Make keys with the scopes that are needed by poolgate admin-key create, and take the variable out.',
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
