import { SrpError } from '@poolgate/srp';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';

/** Returns the part of a pool's id after the first `_`, which Cognito hashes with every password. */
export function toPoolName({ userPoolId }: Pick<GatewayDeps, 'userPoolId'>): string {
  return userPoolId.slice(userPoolId.indexOf('_') + 1);
}

/**
 * Runs SRP on the client's values. A value that the protocol forbids is an invalid field.
 * @param fields where the client sent a value under another name than the protocol's
 * @throws {GatewayError} validation_failed
 */
export function mapClientSrpErrors<T>(run: () => T, fields: Readonly<Record<string, string>> = {}): T {
  try {
    return run();
  } catch (error) {
    throw toFieldError(error, fields);
  }
}

/**
 * The same for computations that may run elsewhere.
 * @throws {GatewayError} validation_failed
 */
export async function mapClientSrpRejections<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toFieldError(error, {});
  }
}

function toFieldError(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof SrpError)) return error;
  return invalidFieldError(fields[error.field] ?? error.field, error.code, 'is not an allowed value', error);
}

/**
 * Runs SRP on the provider's values. If the protocol forbids one, the response is unusable, and nothing has been signed yet.
 * @throws {GatewayError} provider_error
 */
export async function mapProviderSrpErrors<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SrpError)) throw error;
    throw new GatewayError('provider_error', undefined, { cause: error });
  }
}
