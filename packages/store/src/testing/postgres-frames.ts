import type { Socket } from 'node:net';

/** A message of PostgreSQL's protocol, version 3: its type letter ('' for the first one of a connection) and all its bytes. */
export interface Frame {
  readonly type: string;
  readonly bytes: Buffer;
  /** The bytes after type and length. */
  readonly body: Buffer;
}

function takeFrame(pending: Buffer, isFirst: boolean): Frame | undefined {
  const head = isFirst ? 0 : 1;
  if (pending.length < head + 4) return undefined;
  const end = head + pending.readInt32BE(head);
  if (pending.length < end) return undefined;
  const bytes = pending.subarray(0, end);
  return { type: isFirst ? '' : String.fromCharCode(pending[0] ?? 0), bytes, body: bytes.subarray(head + 4) };
}

/**
 * Calls back with each message that arrives.
 * @param startsWithout whether the first messages have no type, as from a client; until the callback says that the startup is over
 */
export function readFrames(socket: Socket, startsWithout: boolean, call: (frame: Frame) => 'started' | 'next'): void {
  let pending: Buffer = Buffer.alloc(0);
  let isFirst = startsWithout;
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let frame = takeFrame(pending, isFirst); frame !== undefined; frame = takeFrame(pending, isFirst)) {
      pending = pending.subarray(frame.bytes.length);
      if (call(frame) === 'started') isFirst = false;
    }
  });
}

/** A message. */
export function encodeFrame(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, body]);
}

/** Texts that each end with NUL, as in a startup message or a simple error. */
export function parseTexts(body: Buffer): readonly string[] {
  return body.toString('utf8').split('\0');
}
