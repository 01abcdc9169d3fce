import type { KeyRing } from '../kernel/ports.ts';
import type { MessageRecord } from '../store/records.ts';
import type { PendingCustomMessage } from './custom-message.ts';
import type { Message } from './sender.ts';

/** The encrypted content of a queued message. */
export interface MessageContent extends Pick<Message, 'to' | 'subject' | 'text' | 'html' | 'code'> {
  /** True for a decoy message of a user who does not exist, which is discarded instead of sent. */
  readonly discard: boolean;
  /** What a trigger may reword when the message is sent; undefined if the pool had no trigger. */
  readonly wording?: PendingCustomMessage | undefined;
}

type MessageIdentity = Pick<MessageRecord, 'id' | 'poolId' | 'channel'>;

const PURPOSE = 'message';

/** Binds the content to its record, so that it does not decrypt in another one. */
function messageAssociatedData({ id, poolId, channel }: MessageIdentity): string {
  return `${poolId}/${channel}/${id}`;
}

/** Encrypts the content of a message for its record. */
export function encryptMessageContent(keyRing: KeyRing, identity: MessageIdentity, content: MessageContent): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), messageAssociatedData(identity));
}

/** Undefined unless a known key encrypted the record. */
export function decryptMessageContent(keyRing: KeyRing, record: MessageRecord): MessageContent | undefined {
  const plaintext = keyRing.decrypt(PURPOSE, record.contentEncrypted, messageAssociatedData(record));
  return plaintext && (JSON.parse(Buffer.from(plaintext).toString('utf8')) as MessageContent);
}
