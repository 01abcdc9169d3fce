import type { SNSClientConfig } from '@aws-sdk/client-sns';
import { isPhoneNumber, type Sender, SendFailure } from '@poolgate/pool';
import { requireRecipient } from './recipient.ts';

const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/**
 * Sends SMS through Amazon SNS. The AWS SDK's own settings supply the region, credentials and endpoint if they are not configured.
 * @see https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 */
export async function createSnsSender(settings: SNSClientConfig): Promise<Sender> {
  // Loaded only if SNS is configured.
  const { PublishCommand, SNSClient } = await import('@aws-sdk/client-sns');
  // The queue repeats attempts. The SDK would also repeat one whose message may have been sent.
  const client = new SNSClient({ requestHandler: TIMEOUTS, ...settings, maxAttempts: 1 });
  return {
    async send(message, abortSignal) {
      requireRecipient(message, isPhoneNumber);
      const publish = new PublishCommand({
        PhoneNumber: message.to,
        Message: message.text,
        MessageAttributes: { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } },
      });
      try {
        await client.send(publish, { abortSignal });
      } catch (error) {
        throw toSendFailure(error);
      }
    },
  };
}

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Errors that mean that the request never left. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CredentialsProviderError',
]);

/** Errors that SNS returns for this message every time. An operator can fix the other errors. */
const PERMANENT_ERRORS = new Set([
  'InvalidParameter',
  'InvalidParameterException',
  'InvalidParameterValue',
  'OptedOut',
  'OptedOutException',
  'ValidationException',
]);

/** Without the message from SNS, which may contain the recipient. */
function toSendFailure(error: unknown): SendFailure {
  const { name = 'unknown', code = '', $metadata } = error as SdkError;
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40);
  if ($metadata?.httpStatusCode !== undefined)
    return new SendFailure(`sns_${word}`, PERMANENT_ERRORS.has(name) ? 'refused' : 'retry');
  return new SendFailure(`sns_${word}`, NOT_SENT.has(code) || NOT_SENT.has(name) ? 'retry' : 'unknown');
}
