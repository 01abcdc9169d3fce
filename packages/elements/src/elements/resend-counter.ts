import type { ResendOptions } from '../ui/code-field.ts';
import type { LocalizedText } from '../ui/form-error.ts';

/** How long to wait before offering another code. */
const RESEND_WAIT_MS = 30_000;
/** The service sends so many codes an hour to the browser that requested the first one. */
const CODES_PER_HOUR = 5;

/** Counts the codes that an element requests. */
export class ResendCounter {
  private atMs = Date.now() + RESEND_WAIT_MS;
  private resends = 0;

  /** @param sent how many codes were requested before */
  options(sent: number, resend: () => void): ResendOptions {
    return { atMs: this.atMs, codesLeft: this.countLeft(sent), resend };
  }

  /** Another code was sent. Returns the message about it. */
  count(sent: number): LocalizedText {
    this.resends += 1;
    this.atMs = Date.now() + RESEND_WAIT_MS;
    return { id: this.countLeft(sent) === 0 ? 'code.resentLast' : 'code.resent' };
  }

  private countLeft(sent: number): number {
    return Math.max(0, CODES_PER_HOUR - sent - this.resends);
  }
}
