import { randomInt } from 'node:crypto';

const SECTOR_BYTES = 512;

/** The effect of a system call on a file's content. */
export type FileChange =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** The bytes of a file, changed in place. */
class Content {
  #bytes: Buffer;
  #length: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  apply(change: FileChange): void {
    if (change.kind === 'write') {
      const { offset, bytes } = change;
      this.#resize(Math.max(this.#length, offset + bytes.length));
      bytes.copy(this.#bytes, offset);
    } else this.#resize(change.length);
  }

  /** The bytes beyond the previous end of a file are zeros. */
  #resize(length: number): void {
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * length);
    if (length < this.#length) this.#bytes.fill(0, length, this.#length);
    this.#length = length;
  }
}

/** A file as stored on the disk, and the changes that may have been stored since. */
export class SimulatedDisk {
  readonly #synced: Content;
  #open: FileChange[] = [];

  constructor(base: Buffer) {
    this.#synced = new Content(base);
  }

  write(change: FileChange): void {
    this.#open.push(change);
  }

  sync(): void {
    for (const each of this.#open) this.#synced.apply(each);
    this.#open = [];
  }

  /** The content after a power cut. Each sector was written or not; their order is undefined. */
  afterCut(share: number): Buffer {
    const left = new Content(this.#synced.bytes);
    for (const change of this.#open) for (const part of cutChange(change, share)) left.apply(part);
    return left.bytes;
  }
}

/** @param share the percentage of written sectors */
function cutChange(change: FileChange, share: number): readonly FileChange[] {
  const isKept = (): boolean => randomInt(100) < share;
  if (change.kind === 'truncate') return isKept() ? [change] : [];
  const sectors: FileChange[] = [];
  for (let at = 0; at < change.bytes.length; at += SECTOR_BYTES) {
    const bytes = change.bytes.subarray(at, at + SECTOR_BYTES);
    if (isKept()) sectors.push({ kind: 'write', offset: change.offset + at, bytes });
  }
  return sectors;
}
