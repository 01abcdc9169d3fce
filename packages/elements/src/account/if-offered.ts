import { PoolgateError } from '@poolgate/client';

/** The answer, or undefined if the service does not offer the feature. */
export async function ifOffered<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PoolgateError && error.code === 'feature_disabled') return undefined;
    throw error;
  }
}
