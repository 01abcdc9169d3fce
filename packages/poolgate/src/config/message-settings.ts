import { isLoopback } from './mode.ts';
import { defineSetting } from './setting.ts';
import { createOptionalKind, createSecretKind, createTextKind } from './value-kinds.ts';

function parseUrl(input: string): URL | undefined {
  return URL.canParse(input) ? new URL(input) : undefined;
}

/** Options in the URL could disable the connection's protection. */
const smtpUrl = createTextKind({
  allowed: 'smtps://user:password@host:port or smtp://…, without path or query',
  problem: 'is not a valid URL',
  accepts(input) {
    const url = parseUrl(input);
    if (url === undefined || !/^smtps?:$/.test(url.protocol)) return false;
    const isBare = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
    return isBare && url.hostname !== '' && (url.username === '') === (url.password === '');
  },
  show(value) {
    const url = new URL(value);
    if (url.password !== '') url.password = '***';
    return url.href;
  },
});

const ADDRESS = "[A-Za-z0-9#$&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,189}";

const mailFrom = createTextKind({
  allowed: 'an address, or a name and an address: Example Inc. <no-reply@example.com>',
  problem: 'is not an email address, with or without a name',
  accepts: (input) => new RegExp(`^(?:${ADDRESS}|[^\\p{Cc}<>"@,;:\\\\]{1,100} <${ADDRESS}>)$`, 'u').test(input),
});

/** How SMS messages are sent. */
export type SmsRoute =
  | { readonly kind: 'sns'; readonly region: string | undefined }
  | { readonly kind: 'webhook'; readonly url: string };

/** Parses a value of `POOLGATE_SMS`; undefined if invalid. */
export function parseSmsRoute(input: string): SmsRoute | undefined {
  const [isSns, region] = /^sns(?::([a-z]{2}(?:-[a-z]+)+-\d))?$/.exec(input) ?? [];
  if (isSns !== undefined) return { kind: 'sns', region };
  const url = parseUrl(input);
  if (url === undefined || url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe ? { kind: 'webhook', url: url.href } : undefined;
}

const sms = createTextKind({
  allowed: 'sns, sns:<region>, or an https URL (http on loopback) without credentials',
  problem: 'is neither sns nor a valid URL',
  accepts: (input) => parseSmsRoute(input) !== undefined,
  // The part after the host may be the receiver's key.
  show: (value) => (value.startsWith('sns') ? value : `${new URL(value).origin}/…`),
});

const WEBHOOK_SECRET_BYTES = 24;

/** A secret that signs Standard Webhooks. */
export const webhookSecretKind = createTextKind({
  allowed: `whsec_ and at least ${WEBHOOK_SECRET_BYTES} bytes in base64, e.g. the output of: echo whsec_$(openssl rand -base64 32)`,
  problem: 'is not a valid secret',
  accepts: (input) =>
    /^whsec_(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(input) &&
    Buffer.from(input.slice('whsec_'.length), 'base64').length >= WEBHOOK_SECRET_BYTES,
});

/** How messages to users are sent. Without a setting they go to the outbox in development, and nowhere in production. */
export const messageSettings = {
  smtpUrl: defineSetting('POOLGATE_SMTP_URL', createOptionalKind(smtpUrl, '(none)'), {
    default: undefined,
    defaultText: 'the outbox in development; none in production',
    sensitive: true,
    help: 'The mail server. `smtps` uses TLS from the start; `smtp` requires STARTTLS, except on a loopback address.',
  }),
  mailFrom: defineSetting('POOLGATE_MAIL_FROM', createOptionalKind(mailFrom, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'The sender of emails. Required with POOLGATE_SMTP_URL.',
  }),
  sms: defineSetting('POOLGATE_SMS', createOptionalKind(sms, '(none)'), {
    default: undefined,
    defaultText: 'the outbox in development; none in production',
    sensitive: true,
    help: 'How text messages are sent: Amazon SNS with the credentials of the AWS SDK, or your own webhook, which receives signed requests (Standard Webhooks).',
  }),
  smsSecret: defineSetting('POOLGATE_SMS_SECRET', createOptionalKind(createSecretKind(webhookSecretKind), '(none)'), {
    default: undefined,
    defaultText: 'none',
    sensitive: true,
    help: "The secret that signs the webhook's requests. Required if POOLGATE_SMS is a URL.",
  }),
};
