import type { Clock, Sender, Senders } from '@poolgate/pool';
import { type SmsRoute, smsRouteOf } from '../config/messages.ts';
import type { Settings } from '../config/settings.ts';
import { smtpSender, smtpServerOf } from './smtp.ts';
import { snsSender } from './sns.ts';
import { webhookSender } from './webhook.ts';

type SenderSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'sms' | 'smsSecret'>;

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

async function mailSender({ smtpUrl, mailFrom }: SenderSettings, clock: Clock): Promise<Sender | undefined> {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  return smtpSender(smtpServerOf(smtpUrl), mailFrom, clock);
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
