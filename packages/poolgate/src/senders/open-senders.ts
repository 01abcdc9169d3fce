/** The senders of messages: SMTP, SNS, signed webhooks, the development outbox. Private addresses are rejected. */
import type { Clock, Sender, Senders } from '@poolgate/pool';
import { parseSmsRoute, type SmsRoute } from '../config/message-settings.ts';
import type { Settings } from '../config/settings.ts';
import { createSmtpSender, parseSmtpUrl } from './smtp-sender.ts';
import { createSnsSender } from './sns-sender.ts';
import { createWebhookSender } from './webhook-sender.ts';

type SenderSettings = Pick<Settings, 'appName' | 'smtpUrl' | 'mailFrom' | 'sms' | 'smsSecret'>;

/**
 * Opens the configured sender of each channel.
 * @param fallback for a channel without a sender; undefined: the channel cannot send
 */
export async function openSenders(
  settings: SenderSettings,
  clock: Clock,
  fallback: Sender | undefined,
): Promise<Senders> {
  const email = (await openMailSender(settings, clock)) ?? fallback;
  const sms = (await openSmsSender(settings, clock)) ?? fallback;
  return { ...(email === undefined ? {} : { email }), ...(sms === undefined ? {} : { sms }) };
}

async function openMailSender(
  { smtpUrl, mailFrom, appName }: SenderSettings,
  clock: Clock,
): Promise<Sender | undefined> {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  return createSmtpSender(parseSmtpUrl(smtpUrl), addSenderName(mailFrom, appName), clock);
}

/** Characters with a meaning in the header that names a sender (RFC 5322 §3.4). */
const SPECIAL = /[\s<>"@,;:\\()[\]]+/g;

/** An address without a name gets the name of the service, so that recipients see who writes to them. */
function addSenderName(mailFrom: string, appName: string): string {
  const name = appName.replace(SPECIAL, ' ').trim();
  return mailFrom.includes('<') || name === '' ? mailFrom : `${name} <${mailFrom}>`;
}

type OpenSmsSender<Route> = (route: Route, wanted: SenderSettings, clock: Clock) => Promise<Sender>;

const SMS_SENDERS: { readonly [Kind in SmsRoute['kind']]: OpenSmsSender<Extract<SmsRoute, { kind: Kind }>> } = {
  sns: ({ region }) => createSnsSender(region === undefined ? {} : { region }),
  webhook: async ({ url }, { smsSecret = '' }, clock) => createWebhookSender({ url, secret: smsSecret }, clock),
};

async function openSmsSender(settings: SenderSettings, clock: Clock): Promise<Sender | undefined> {
  const route = parseSmsRoute(settings.sms ?? '');
  return route && openSmsRoute(route, settings, clock);
}

function openSmsRoute<Kind extends SmsRoute['kind']>(
  route: Extract<SmsRoute, { kind: Kind }> & { kind: Kind },
  settings: SenderSettings,
  clock: Clock,
): Promise<Sender> {
  return SMS_SENDERS[route.kind](route, settings, clock);
}
