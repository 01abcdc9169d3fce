import type { Clock, Sender, Senders } from '@poolgate/pool';
import { type SmsRoute, smsRouteOf } from '../config/messages.ts';
import type { Settings } from '../config/settings.ts';
import { smtpSender, smtpServerOf } from './smtp.ts';
import { snsSender } from './sns.ts';
import { webhookSender } from './webhook.ts';

type SenderSettings = Pick<Settings, 'appName' | 'smtpUrl' | 'mailFrom' | 'sms' | 'smsSecret'>;

/**
 * Opens the sender of each channel that the configuration names.
 * @param fallback for a channel without one; undefined: nothing can be sent there
 */
export async function openSenders(
  settings: SenderSettings,
  clock: Clock,
  fallback: Sender | undefined,
): Promise<Senders> {
  const email = (await mailSender(settings, clock)) ?? fallback;
  const sms = (await smsSender(settings, clock)) ?? fallback;
  return { ...(email === undefined ? {} : { email }), ...(sms === undefined ? {} : { sms }) };
}

async function mailSender({ smtpUrl, mailFrom, appName }: SenderSettings, clock: Clock): Promise<Sender | undefined> {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  return smtpSender(smtpServerOf(smtpUrl), named(mailFrom, appName), clock);
}

/** Signs that mean something in the line that names a sender (RFC 5322 §3.4). */
const SPECIAL = /[\s<>"@,;:\\()[\]]+/g;

/** An address without a name gets that of the service, so that people see who writes to them. */
function named(mailFrom: string, appName: string): string {
  const name = appName.replace(SPECIAL, ' ').trim();
  return mailFrom.includes('<') || name === '' ? mailFrom : `${name} <${mailFrom}>`;
}

type Open<Route> = (route: Route, wanted: SenderSettings, clock: Clock) => Promise<Sender>;

const SMS_SENDERS: { readonly [Kind in SmsRoute['kind']]: Open<Extract<SmsRoute, { kind: Kind }>> } = {
  sns: ({ region }) => snsSender(region === undefined ? {} : { region }),
  webhook: async ({ url }, { smsSecret = '' }, clock) => webhookSender({ url, secret: smsSecret }, clock),
};

async function smsSender(settings: SenderSettings, clock: Clock): Promise<Sender | undefined> {
  const route = smsRouteOf(settings.sms ?? '');
  return route && openSms(route, settings, clock);
}

function openSms<Kind extends SmsRoute['kind']>(
  route: Extract<SmsRoute, { kind: Kind }> & { kind: Kind },
  settings: SenderSettings,
  clock: Clock,
): Promise<Sender> {
  return SMS_SENDERS[route.kind](route, settings, clock);
}
