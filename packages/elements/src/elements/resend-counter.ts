import type { ResendOptions } from '../ui/code-field.ts';
import type { LocalizedText } from '../ui/form-error.ts';

/** How long to wait before offering another code. */
const RESEND_WAIT_MS = 30_000;
/** The service sends so many codes an hour to the browser that requested the first one. */
const CODES_PER_HOUR = 5;

/** The codes that were requested before an element was shown. */
interface EarlierCodes {
  readonly codesSent: number;
  /** When the last one was sent, in milliseconds since 1970. Undefined: when the element was created. */
  readonly codeSentAtMs: number | undefined;
}

/** Counts the codes that an element requests. */
export class ResendCounter {
  private readonly createdAtMs = Date.now();
  private resentAtMs: number | undefined;
  private resends = 0;

  options(earlier: EarlierCodes, resend: () => void): ResendOptions {
    // The clock of the service may be ahead.
    const sentAtMs = Math.min(earlier.codeSentAtMs ?? this.createdAtMs, this.createdAtMs);
    const atMs = (this.resentAtMs ?? sentAtMs) + RESEND_WAIT_MS;
    return { atMs, codesLeft: this.countLeft(earlier), resend };
  }

  /** Another code was sent. Returns the message about it. */
  count(earlier: EarlierCodes): LocalizedText {
    this.resends += 1;
    this.resentAtMs = Date.now();
    return { id: this.countLeft(earlier) === 0 ? 'code.resentLast' : 'code.resent' };
  }

  private countLeft({ codesSent }: EarlierCodes): number {
    return Math.max(0, CODES_PER_HOUR - codesSent - this.resends);
  }
}
