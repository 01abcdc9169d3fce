import { type Clock, isPhoneNumber, type Sender, SendFailure } from '@poolgate/pool';
import { requireRecipient } from './recipient.ts';
import { isSuccess, type PostOutcome, postSigned } from './signed-post.ts';

/** The receiver of messages, and the key that signs them. */
export interface WebhookReceiver {
  readonly url: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
}

/**
 * Posts SMS to a receiver of the operator, signed by Standard Webhooks. The body is `{ type: "message.sms", timestamp, data: { to, text,
 * code? } }`. `webhook-id` is the message's id, the same at every attempt.
 */
export function createWebhookSender({ url, secret }: WebhookReceiver, clock: Clock): Sender {
  const receiver = new URL(url);
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
      const failure = toSendFailure(await postSigned({ url: receiver, secret, id, body, at }, signal));
      if (failure !== undefined) throw failure;
    },
  };
}

/** Statuses that the receiver returns for this message every time. The receiver or an operator can fix the causes of others. */
const PERMANENT_STATUSES = new Set([400, 410, 413, 422]);

function toSendFailure(outcome: PostOutcome): SendFailure | undefined {
  if (outcome.kind === 'unanswered') return new SendFailure('webhook_no_answer', 'unknown');
  if (outcome.kind !== 'answered') return new SendFailure('webhook_unreachable', 'retry');
  const { status } = outcome;
  if (isSuccess(status)) return undefined;
  return new SendFailure(`webhook_${status}`, PERMANENT_STATUSES.has(status) ? 'refused' : 'retry');
}
