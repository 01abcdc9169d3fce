import { isEmailAddress, isPhoneNumber, type Message, type Sender, SendFailure } from '@poolgate/pool';
import type { Settings } from '../config/settings.ts';
import { openSenders } from '../senders/open.ts';
import { greetSmtpServer, smtpServerOf } from '../senders/smtp.ts';
import { type Finding, failed, ok, warn } from './finding.ts';
import type { CheckUpContext } from './subjects/subject.ts';

/** How long a sender has for a message. */
const SEND_MS = 20_000;

/** Whether mail and SMS leave: the mail server is greeted, and a message is sent where one was asked for. */
export async function checkSenders(context: CheckUpContext): Promise<readonly Finding[]> {
  const { settings, mode } = context.configuration;
  const without = mode === 'development' ? toOutbox : noSender;
  const { smtpUrl, sms, mfaTypes, firstFactors, recovery } = settings;
  const sendsSms = mfaTypes.includes('SMS_MFA') || firstFactors.includes('SMS_OTP') || recovery === 'phone';
  return [
    smtpUrl === undefined ? without('mail', 'POOLGATE_SMTP_URL') : await checkMailServer(smtpUrl),
    ...(sms === undefined && sendsSms ? [without('SMS', 'POOLGATE_SMS')] : []),
    ...(sms === undefined ? [] : [ok('A sender of SMS is set; --send-to with a telephone number tries it.')]),
    ...(context.sendTo === undefined ? [] : [await sendTestMessage(context, context.sendTo)]),
  ];
}

type MissingSender = (what: string, key: string) => Finding;

const toOutbox: MissingSender = (what, key) => ok(`Without ${key}, ${what} goes to the outbox of development.`);

const noSender: MissingSender = (what, key) =>
  warn(`No sender of ${what} is set: what must send it is answered with 403.`, `Set ${key}.`);

async function checkMailServer(smtpUrl: string): Promise<Finding> {
  const server = smtpServerOf(smtpUrl);
  try {
    await greetSmtpServer(server);
    return ok(`The mail server ${server.host} answers${server.login === undefined ? '' : ', and takes the login'}.`);
  } catch (error) {
    return failed(
      `The mail server ${server.host} does not take mail (${failureCode(error)}).`,
      'Check POOLGATE_SMTP_URL: host, port, user, password, and that smtp offers STARTTLS.',
    );
  }
}

/** What tells an address from a number, and where it is sent. */
const CHANNELS = [
  { channel: 'email', isOne: isEmailAddress },
  { channel: 'sms', isOne: isPhoneNumber },
] as const;

async function sendTestMessage(context: CheckUpContext, to: string): Promise<Finding> {
  const channel = CHANNELS.find(({ isOne }) => isOne(to))?.channel;
  if (channel === undefined) return failed(`--send-to ${to} is neither an address nor a number.`, 'Correct it.');
  const sender = (await openSenders(configured(context), context.clock, undefined))[channel];
  if (sender === undefined) return warn(`There is no sender of ${channel}: nothing was sent.`, 'Leave --send-to out.');
  return deliver(context, sender, { channel, to });
}

function configured({ configuration: { settings } }: CheckUpContext): Settings {
  return settings;
}

async function deliver(
  { random, timer }: CheckUpContext,
  sender: Sender,
  { channel, to }: Pick<Message, 'channel' | 'to'>,
): Promise<Finding> {
  const subject = 'A test message';
  const text = 'This message shows that Poolgate can send. Nobody needs to do anything.';
  const id = Buffer.from(random(16)).toString('hex');
  const controller = new AbortController();
  const callOff = timer.after(SEND_MS, () => controller.abort());
  try {
    await sender.send({ id, channel, to, subject, text, html: undefined, code: undefined }, controller.signal);
    return ok(`A message to ${to} was accepted for delivery.`);
  } catch (error) {
    return failed(`A message to ${to} was not accepted (${failureCode(error)}).`, 'Check the settings of the sender.');
  } finally {
    callOff();
  }
}

function failureCode(error: unknown): string {
  if (error instanceof SendFailure) return error.code;
  throw error;
}
