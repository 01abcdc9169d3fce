import type { KeyRing } from '../kernel/ports.ts';
import type { MessageRecord } from '../store/records.ts';
import type { PendingCustomMessage } from './custom-message.ts';
import type { Message } from './sender.ts';

/** What is encrypted of a queued message. */
export interface MessageContent extends Pick<Message, 'to' | 'subject' | 'text' | 'html' | 'code'> {
  /** True: it stands in for the message of a user who does not exist, and is thrown away where others are sent. */
  readonly discard: boolean;
  /** What a trigger may word otherwise when the message is sent; undefined where the pool had none. */
  readonly wording?: PendingCustomMessage | undefined;
}

type MessageIdentity = Pick<MessageRecord, 'id' | 'poolId' | 'channel'>;

const PURPOSE = 'message';

/** Bound to its record, so that the content of one is worth nothing in another. */
function messageAssociatedData({ id, poolId, channel }: MessageIdentity): string {
  return `${poolId}/${channel}/${id}`;
}

/** Encrypts the content of a message for its record. */
export function encryptMessageContent(keyRing: KeyRing, identity: MessageIdentity, content: MessageContent): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), messageAssociatedData(identity));
}

/** Undefined where the record was not encrypted by a known key. */
export function decryptMessageContent(keyRing: KeyRing, record: MessageRecord): MessageContent | undefined {
  const plaintext = keyRing.decrypt(PURPOSE, record.contentEncrypted, messageAssociatedData(record));
  return plaintext && (JSON.parse(Buffer.from(plaintext).toString('utf8')) as MessageContent);
}
