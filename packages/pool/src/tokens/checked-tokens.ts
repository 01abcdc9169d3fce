import { type CallContext, USER_SCOPE } from '@poolgate/provider';
import type { AccessTokenFacts } from '../store/access-token-reads.ts';
import type { AccessToken } from './verified-token.ts';

/** A genuine token, with the records that were read for it. */
export interface CheckedToken {
  readonly access: AccessToken;
  readonly facts: AccessTokenFacts;
}

/** A guard's result for an operation, which may use it once. A second check must see what the operation changed. */
export interface CheckedTokenHolder {
  /** Returns the result if the guard checked this token for this scope. */
  take(token: string, scope: string | null): CheckedToken | undefined;
}

/** The tokens that guards checked, by call. No call outlives its request. */
export class CheckedTokens {
  readonly #byCall = new WeakMap<CallContext, CheckedTokenHolder>();

  put(call: CallContext, token: string, checked: CheckedToken): void {
    let left: CheckedToken | undefined = checked;
    this.#byCall.set(call, {
      take(asked, scope) {
        if (asked !== token || scope !== USER_SCOPE) return undefined;
        const taken = left;
        left = undefined;
        return taken;
      },
    });
  }

  /** For the first operation of a call only, because it may change what was read. */
  takeHolder(call: CallContext): CheckedTokenHolder | undefined {
    const holder = this.#byCall.get(call);
    this.#byCall.delete(call);
    return holder;
  }
}
