import type { KeyRing, Message } from '../context.ts';
import type { MessageRecord } from '../store/records.ts';

/** What is sealed of a queued message. */
export interface Content extends Pick<Message, 'to' | 'subject' | 'text' | 'html' | 'code'> {
  /** True: it stands in for the message of a user who does not exist, and is thrown away where others are sent. */
  readonly discard: boolean;
}

type Place = Pick<MessageRecord, 'id' | 'poolId' | 'channel'>;

const PURPOSE = 'message';

/** Bound to its record, so that the content of one is worth nothing in another. */
function placeOf({ id, poolId, channel }: Place): string {
  return `${poolId}/${channel}/${id}`;
}

/** Seals the content of a message for its record. */
export function sealContent(keyRing: KeyRing, place: Place, content: Content): string {
  return keyRing.seal(PURPOSE, Buffer.from(JSON.stringify(content)), placeOf(place));
}

/** Undefined where the record was not sealed by a known key. */
export function openContent(keyRing: KeyRing, record: MessageRecord): Content | undefined {
  const opened = keyRing.open(PURPOSE, record.sealed, placeOf(record));
  return opened && (JSON.parse(Buffer.from(opened).toString('utf8')) as Content);
}
