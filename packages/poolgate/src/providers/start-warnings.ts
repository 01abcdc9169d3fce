import type { DeliveryReport, Senders } from '@poolgate/pool';
import type { OpenSslEngine } from '@poolgate/srp/openssl';
import type { Configuration } from '../config/configuration.ts';
import type { Settings } from '../config/settings.ts';
import { findWeakSettings } from '../config/weak-settings.ts';
import type { LogLevel, WriteLogLine } from '../process/log-line.ts';
import type { Backend, ServedPool } from './backend.ts';

/** What `IDP_FRESH_PROOF_WIRE=false` allows. */
export const OLD_LOGINS_WARNING =
  'On the Cognito-compatible API, an access token can change sign-in methods, contacts and the account however old its login is. So can anyone who steals the token.';

/** Whether every entry point requires a recent login to change sign-in methods. */
export function requiresRecentLoginEverywhere(
  { wire }: Settings,
  { recentLoginOnCognitoApi }: Pick<ServedPool, 'recentLoginOnCognitoApi'>,
): boolean {
  return !wire || recentLoginOnCognitoApi;
}

interface StartWarning<Facts> {
  readonly applies: (facts: Facts, settings: Settings) => boolean;
  readonly warning: string;
}

/** The facts that decide the warnings of a start. */
interface StartFacts {
  readonly engine: OpenSslEngine;
  readonly backend: Backend;
  readonly configuration: Configuration;
  readonly served: ServedPool;
}

/** Warnings for an operator that do not stop the start. */
const START_WARNINGS: readonly StartWarning<StartFacts>[] = [
  {
    applies: (_, { allowPasskeys, rpId }) => allowPasskeys && rpId === undefined,
    warning:
      'Passkeys are unavailable because BASE_URL is neither https nor localhost, or contains an IP address. Set IDP_RP_ID and IDP_ORIGINS, or IDP_ALLOW_PASSKEYS=false.',
  },
  {
    applies: (_, { mfaQrLibrary }) => mfaQrLibrary !== 'builtin',
    warning: 'IDP_MFA_QR_LIBRARY points to another service, so the secret of every new authenticator leaves this one.',
  },
  {
    applies: ({ engine }) => !engine.selfTest().native,
    warning: 'OpenSSL cannot compute SRP here. The service uses slower arithmetic that is not constant-time.',
  },
  {
    applies: ({ backend, served, configuration: { mode } }, settings) =>
      mode === 'production' && backend.cognitoApi && !requiresRecentLoginEverywhere(settings, served),
    warning: `${OLD_LOGINS_WARNING} Set IDP_FRESH_PROOF_WIRE=true, or POOLGATE_WIRE=false if no client uses that API.`,
  },
];

/** The same for the embedded pool. */
const EMBEDDED_WARNINGS: readonly StartWarning<Senders>[] = [
  {
    applies: ({ email }) => email === undefined,
    warning:
      'No email sender is configured (POOLGATE_SMTP_URL). Requests that must send email get 403 feature_disabled.',
  },
  {
    applies: ({ sms }, settings) => sms === undefined && sendsSms(settings),
    warning:
      'No sender for text messages is configured (POOLGATE_SMS). Requests that must send one get 403 feature_disabled.',
  },
];

function sendsSms({ mfaTypes, firstFactors, recovery }: Settings): boolean {
  return mfaTypes.includes('SMS_MFA') || firstFactors.includes('SMS_OTP') || recovery === 'phone';
}

function listWarnings<Facts>(
  gaps: readonly StartWarning<Facts>[],
  facts: Facts,
  settings: Settings,
): readonly string[] {
  return gaps.filter(({ applies }) => applies(facts, settings)).map(({ warning }) => warning);
}

/** Returns the warnings about the embedded pool. */
export function listEmbeddedPoolWarnings(senders: Senders, settings: Settings): readonly string[] {
  return listWarnings(EMBEDDED_WARNINGS, senders, settings);
}

/** Logs all warnings of a start. */
export function logStartWarnings(facts: StartFacts, warn: (message: string) => void): void {
  const { backend, configuration } = facts;
  const weak = findWeakSettings(configuration).map(({ finding, advice }) => `${finding} ${advice}`);
  for (const warning of [
    ...weak,
    ...backend.startWarnings(),
    ...listWarnings(START_WARNINGS, facts, configuration.settings),
  ])
    warn(warning);
}

const DELIVERY: Readonly<Record<DeliveryReport['result'], { readonly level: LogLevel; readonly message: string }>> = {
  sent: { level: 'debug', message: 'A message was sent.' },
  postponed: { level: 'warn', message: 'A message could not be sent and will be retried.' },
  dead: { level: 'error', message: 'A message could not be delivered. See poolgate messages dead.' },
};

/** Logs failed deliveries: which message and why, never its content or its recipient. */
export function createDeliveryLog(log: WriteLogLine): (report: DeliveryReport) => void {
  return ({ result, messageId, channel, tries, failure }) => {
    const { level, message } = DELIVERY[result];
    log(level, message, { message_id: messageId, channel, tries, ...(failure === null ? {} : { failure }) });
  };
}
