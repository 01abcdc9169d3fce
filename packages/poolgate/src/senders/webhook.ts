import { type Clock, isPhoneNumber, type Sender, SendFailure } from '@poolgate/pool';
import { requireRecipient } from './recipient.ts';

/** Where messages are posted to, and what signs them. */
export interface WebhookReceiver {
  readonly url: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
}

const MOST_WAITING_MS = 10_000;

/**
 * Posts SMS to a receiver of the operator, signed by Standard Webhooks. The body is
 * `{ type: "message.sms", timestamp, data: { to, text, code? } }`; `webhook-id` is the message's, the same at every try.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function webhookSender({ url, secret }: WebhookReceiver, clock: Clock): Promise<Sender> {
  // Only who sends by webhook loads the library.
  const { Webhook } = await import('standardwebhooks');
  const signer = new Webhook(secret);
  return {
    async send(message, signal) {
      requireRecipient(message, isPhoneNumber);
      const { id, channel, to, text, code } = message;
      const at = new Date(clock.now());
      const body = JSON.stringify({
        type: `message.${channel}`,
        timestamp: at.toISOString(),
        data: { to, text, code },
      });
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signer.sign(id, at, body),
      };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MOST_WAITING_MS)]);
      // A redirect would take the code to another place than the operator named.
      const request = { method: 'POST', headers, body, redirect: 'manual', signal: limit } as const;
      const response = await fetch(url, request).catch((error: unknown) => {
        throw unanswered(error);
      });
      await response.body?.cancel();
      if (!response.ok) throw refusal(response.status);
    },
  };
}

/** What says that the request never left. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function unanswered(error: unknown): SendFailure {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return NOT_SENT.has(cause?.code ?? '')
    ? new SendFailure('webhook_unreachable', 'retry')
    : new SendFailure('webhook_no_answer', 'unknown');
}

/** What the receiver will say of this message every time; other refusals it, or an operator, can mend. */
const FOR_GOOD = new Set([400, 410, 413, 422]);

function refusal(status: number): SendFailure {
  return new SendFailure(`webhook_${status}`, FOR_GOOD.has(status) ? 'refused' : 'retry');
}
