import { isEmailAddress, isPhoneNumber, type Message, type Sender, SendFailure } from '@poolgate/pool';
import type { Settings } from '../../config/settings.ts';
import { openSenders } from '../../senders/open-senders.ts';
import { checkSmtpServer, parseSmtpUrl } from '../../senders/smtp-sender.ts';
import { createFault, createOkFinding, createWarning, type Finding } from '../findings/finding.ts';
import type { CheckUpInput } from './checked-provider.ts';

/** How long a sender may take for a message. */
const SEND_MS = 20_000;

/** Whether email and SMS work: connects to the mail server, and sends a message if requested. */
export async function checkSenders(context: CheckUpInput): Promise<readonly Finding[]> {
  const { settings, mode } = context.configuration;
  const without = mode === 'development' ? reportOutbox : reportMissingSender;
  const { smtpUrl, sms, mfaTypes, firstFactors, recovery } = settings;
  const sendsSms = mfaTypes.includes('SMS_MFA') || firstFactors.includes('SMS_OTP') || recovery === 'phone';
  return [
    smtpUrl === undefined ? without('mail', 'POOLGATE_SMTP_URL') : await checkMailServer(smtpUrl),
    ...(sms === undefined && sendsSms ? [without('SMS', 'POOLGATE_SMS')] : []),
    ...(sms === undefined
      ? []
      : [createOkFinding('A sender for text messages is configured. Test it with --send-to and a phone number.')]),
    ...(context.sendTo === undefined ? [] : [await sendTestMessage(context, context.sendTo)]),
  ];
}

type MissingSender = (what: string, key: string) => Finding;

const reportOutbox: MissingSender = (what, key) =>
  createOkFinding(`${key} is not set, so ${what} goes to the development outbox.`);

const reportMissingSender: MissingSender = (what, key) =>
  createWarning(`No sender for ${what} is configured. Requests that must send it get 403.`, `Set ${key}.`);

async function checkMailServer(smtpUrl: string): Promise<Finding> {
  const server = parseSmtpUrl(smtpUrl);
  try {
    await checkSmtpServer(server);
    return createOkFinding(
      `The mail server ${server.host} is reachable${server.login === undefined ? '' : ' and accepts the login'}.`,
    );
  } catch (error) {
    return createFault(
      `The mail server ${server.host} does not accept email (${toFailureCode(error)}).`,
      'Check the host, port, user and password in POOLGATE_SMTP_URL, and that smtp offers STARTTLS.',
    );
  }
}

/** How to distinguish an address from a number, and its channel. */
const CHANNELS = [
  { channel: 'email', isOne: isEmailAddress },
  { channel: 'sms', isOne: isPhoneNumber },
] as const;

async function sendTestMessage(context: CheckUpInput, to: string): Promise<Finding> {
  const channel = CHANNELS.find(({ isOne }) => isOne(to))?.channel;
  if (channel === undefined)
    return createFault(`--send-to ${to} is neither an email address nor a phone number.`, 'Correct it.');
  const sender = (await openSenders(readSenderSettings(context), context.clock, undefined))[channel];
  if (sender === undefined)
    return createWarning(`No sender for ${channel} is configured, so nothing was sent.`, 'Remove --send-to.');
  return deliverTestMessage(context, sender, { channel, to });
}

function readSenderSettings({ configuration: { settings } }: CheckUpInput): Settings {
  return settings;
}

async function deliverTestMessage(
  { random, timer }: CheckUpInput,
  sender: Sender,
  { channel, to }: Pick<Message, 'channel' | 'to'>,
): Promise<Finding> {
  const subject = 'A test message';
  const text = 'This test message shows that Poolgate can send messages. You can ignore it.';
  const id = Buffer.from(random(16)).toString('hex');
  const controller = new AbortController();
  const callOff = timer.after(SEND_MS, () => controller.abort());
  try {
    await sender.send({ id, channel, to, subject, text, html: undefined, code: undefined }, controller.signal);
    return createOkFinding(`A message to ${to} was accepted for delivery.`);
  } catch (error) {
    return createFault(
      `A message to ${to} was not accepted (${toFailureCode(error)}).`,
      'Check the settings of the sender.',
    );
  } finally {
    callOff();
  }
}

function toFailureCode(error: unknown): string {
  if (error instanceof SendFailure) return error.code;
  throw error;
}
