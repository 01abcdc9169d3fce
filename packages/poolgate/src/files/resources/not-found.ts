import { ProviderError, type ProviderErrorCode } from '@poolgate/provider';

const NOT_FOUND: ReadonlySet<ProviderErrorCode> = new Set(['ResourceNotFoundException', 'UserNotFoundException']);

/** Returns the result of a call; undefined if the requested resource does not exist. */
export async function undefinedIfMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError && NOT_FOUND.has(error.code)) return undefined;
    throw error;
  }
}
