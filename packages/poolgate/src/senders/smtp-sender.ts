import { Readable } from 'node:stream';
import { type Clock, isEmailAddress, type Message, type Sender, SendFailure } from '@poolgate/pool';
import type MailComposer from 'nodemailer/lib/mail-composer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isLoopback } from '../config/mode.ts';
import { requireRecipient } from './recipient.ts';

/** A mail server and how to connect to it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

/** `tls`: from the start. `starttls`: required before anything else. `none`: only where no one can eavesdrop. */
type Security = 'tls' | 'starttls' | 'none';

const SECURITY: Readonly<
  Record<Security, { readonly secure: boolean; readonly requireTLS: boolean; readonly ignoreTLS: boolean }>
> = {
  tls: { secure: true, requireTLS: false, ignoreTLS: true },
  starttls: { secure: false, requireTLS: true, ignoreTLS: false },
  none: { secure: false, requireTLS: false, ignoreTLS: true },
};

const DEFAULT_PORTS: Readonly<Record<Security, number>> = { tls: 465, starttls: 587, none: 25 };

/** Reads `POOLGATE_SMTP_URL`. */
export function parseSmtpUrl(smtpUrl: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const security = protocol === 'smtps:' ? 'tls' : isLoopback(host) ? 'none' : 'starttls';
  const login =
    username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return { host, port: port === '' ? DEFAULT_PORTS[security] : Number(port), security, login };
}

/** Together shorter than the queue's timeout for a sender. The connection timeout ends when the server has sent its greeting. */
const TIMEOUTS = { connectionTimeout: 5_000, socketTimeout: 10_000 };

/** Sends emails over SMTP (RFC 5321), with one connection for each, so that the server's answer belongs to this message. */
export async function createSmtpSender(server: SmtpServer, mailFrom: string, clock: Clock): Promise<Sender> {
  // Loaded only for the first email.
  const [{ default: Connection }, { default: Composer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ]);
  const [sender = mailFrom] = /[^<\s]+(?=>$)/.exec(mailFrom) ?? [];
  const { host, port, security, login } = server;
  return {
    async send(message, signal) {
      requireRecipient(message, isEmailAddress);
      const mail = await new Composer(composeMail(message, mailFrom, clock)).compile().build();
      const connection = new Connection({ host, port, ...SECURITY[security], ...TIMEOUTS, tls: TLS });
      try {
        await sendOverConnection(connection, { login, envelope: { from: sender, to: [message.to] }, mail, signal });
        connection.quit();
      } catch (error) {
        connection.close();
        throw error;
      }
    },
  };
}

/**
 * Connects to a mail server and logs in, as for an email, and then quits.
 * @throws {SendFailure} an email could not be sent either
 */
export async function checkSmtpServer({ host, port, security, login }: SmtpServer): Promise<void> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection({ host, port, ...SECURITY[security], ...TIMEOUTS, tls: TLS });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: SmtpError): void => reject(toSendFailure(error, false));
  const step = (next: () => void) => (error?: SmtpError | null) => (error ? fail(error) : next());
  connection.on('error', fail);
  connection.connect(
    step(() => (login === undefined ? resolve() : connection.login({ credentials: login }, step(resolve)))),
  );
  try {
    await promise;
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  }
}

const TLS = { minVersion: 'TLSv1.2' } as const;

/** The same Message-ID at every attempt: mail servers and clients treat a second one as a copy. */
function composeMail(
  { id, to, subject, text, html }: Message,
  mailFrom: string,
  clock: Clock,
): ConstructorParameters<typeof MailComposer>[0] {
  return {
    from: mailFrom,
    to: { name: '', address: to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    messageId: `<${id}@${mailFrom.replace(/^.*@|>$/g, '')}>`,
    date: new Date(clock.now()),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface Delivery {
  readonly login: SmtpServer['login'];
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly mail: Buffer;
  readonly signal: AbortSignal;
}

/** Connects, logs in and sends the message. Resolves once the server has accepted it. */
function sendOverConnection(connection: SMTPConnection, { login, envelope, mail, signal }: Delivery): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isGiven = false;
  const content = new Readable({
    read() {
      isGiven = true;
      this.push(mail);
      this.push(null);
    },
  });
  const fail = (error: SmtpError): void => reject(toSendFailure(error, isGiven));
  const step = (next: () => void) => (error?: SmtpError | null) => (error ? fail(error) : next());
  const send = (): void => connection.send(envelope, content, step(resolve));
  // This listener stays for later errors, which nothing waits for.
  connection.on('error', fail);
  signal.addEventListener('abort', () => fail({ code: 'EABORT' }), { once: true });
  connection.connect(step(() => (login === undefined ? send() : connection.login({ credentials: login }, step(send)))));
  return promise;
}

/** A failure, as the library reports it. */
interface SmtpError {
  /** The library's code, e.g. `ETIMEDOUT`. */
  readonly code?: string | undefined;
  /** The server's status; undefined without a response. */
  readonly responseCode?: number | undefined;
  /** The command that failed. */
  readonly command?: string | undefined;
}

const PERMANENT_CODES = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Without the server's message, which may contain the recipient. */
function toSendFailure(error: SmtpError, isGiven: boolean): SendFailure {
  const { responseCode, command = '', code = 'unknown' } = error;
  if (responseCode === undefined) {
    return new SendFailure(`smtp_${code.toLowerCase()}`, isGiven ? 'unknown' : 'retry');
  }
  const isForGood = responseCode >= 500 && PERMANENT_CODES.has(command);
  return new SendFailure(`smtp_${responseCode}`, isForGood ? 'refused' : 'retry');
}
