import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MessageReceiver, ReceivedMessage, ReceiverBehavior } from './sender-contract.ts';

/** A received mail. */
interface ReceivedMail extends ReceivedMessage {
  readonly from: string;
  /** The header lines, unfolded. */
  readonly headers: readonly string[];
  readonly html: string;
}

/** A listening mail server. */
export interface SmtpReceiver {
  readonly receiver: MessageReceiver;
  readonly port: number;
  arrivals(): readonly ReceivedMessage[];
  readonly mails: readonly ReceivedMail[];
}

class SmtpRefusalError extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super('about ada@example.com 123456');
    this.responseCode = responseCode;
  }
}

const REFUSALS = { later: 451, never: 550 } as const;

/** A real mail server on loopback until the test ends. */
export async function startSmtpReceiver(context: TestContext, options: SMTPServerOptions = {}): Promise<SmtpReceiver> {
  const arrivals: ReceivedMessage[] = [];
  const mails: ReceivedMail[] = [];
  let answer: ReceiverBehavior = 'accept';
  let taken = Promise.withResolvers<void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.key ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 0,
    onRcptTo: (_address, _session, callback) =>
      answer === 'later' || answer === 'never' ? callback(new SmtpRefusalError(REFUSALS[answer])) : callback(),
    async onData(stream, { envelope }, callback) {
      const mail = parseMail(await buffer(stream));
      taken.resolve();
      if (answer === 'silence') return;
      const to = envelope.rcptTo.map(({ address }) => address);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      arrivals.push({ to, text: mail.text });
      mails.push({ ...mail, to, from });
      callback();
    },
    ...options,
  });
  // A client that disconnects in the middle is part of the tests.
  server.on('error', () => {});
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  const net = server.listen(0, '127.0.0.1', resolve);
  await listening;
  const { port } = net.address() as AddressInfo;
  const stop = (): Promise<void> => new Promise((done) => (net.listening ? server.close(() => done()) : done()));
  context.after(stop);
  const receiver = {
    answer(next: ReceiverBehavior): void {
      answer = next;
      taken = Promise.withResolvers();
    },
    taken: () => taken.promise,
    stop,
  };
  return { port, arrivals: () => arrivals, mails, receiver };
}

/** Splits a mail into a text and an HTML part, each quoted-printable or base64 (RFC 2045, 2046). */
function parseMail(raw: Buffer): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [head = '', body = ''] = splitOnce(raw.toString('latin1'));
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const boundary = /boundary="([^"]+)"/.exec(headers.join('\n'))?.[1];
  const parts = boundary === undefined ? [raw.toString('latin1')] : body.split(`--${boundary}`).slice(1, -1);
  const findText = (type: string): string =>
    decodePart(parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '');
  return { headers, text: findText('text/plain'), html: findText('text/html') };
}

function splitOnce(text: string): readonly string[] {
  const at = text.indexOf('\r\n\r\n');
  return [text.slice(0, at), text.slice(at + 4)];
}

function decodePart(part: string): string {
  const [head = '', body = ''] = splitOnce(part);
  const encoding = /Content-Transfer-Encoding: (\S+)/.exec(head)?.[1];
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : decodeQuotedPrintable(body);
  return bytes.toString('utf8').replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function decodeQuotedPrintable(body: string): Buffer {
  const latin1 = body
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}
