import assert from 'node:assert/strict';
import { ProviderError } from '@poolgate/provider';

/** Expects a call to fail with this code, and optionally this message. Returns the error. */
export async function assertRefused(call: Promise<unknown>, code: string, message?: string): Promise<ProviderError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.code, code, error.message);
    if (message !== undefined) assert.equal(error.message, message);
    return error;
  }
  assert.fail(`must be refused with ${code}`);
}
