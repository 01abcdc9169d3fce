import { ProviderError } from '@poolgate/provider';
import type { Refusal } from './next-step.ts';

/** A refusal of the order as an error. */
export function refusalOf({ code, message, reason }: Refusal): ProviderError {
  return new ProviderError(code, message, reason === undefined ? {} : { reason });
}
