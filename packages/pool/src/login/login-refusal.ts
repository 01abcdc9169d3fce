import { ProviderError } from '@poolgate/provider';
import type { LoginRefusal } from './next-step.ts';

/** A refusal of the order as an error. */
export function toLoginRefusalError({ code, message, reason }: LoginRefusal): ProviderError {
  return new ProviderError(code, message, reason === undefined ? {} : { reason });
}
