import type { CallContext } from '@poolgate/provider';
import type { ClientRecord } from '../store/records.ts';
import type { CallPort } from './ports.ts';

/** Whether the call's entry point must never reveal that a username exists or that a user is unconfirmed, whatever Cognito would do. */
export function hidesUserExistence({ entryPoint }: CallContext): boolean {
  return entryPoint === 'routes';
}

/** Whether responses must hide if a user exists, because of the client's setting or the call's entry point. */
export function hidesUsers({ call }: CallPort, { settings }: Pick<ClientRecord, 'settings'>): boolean {
  return settings.preventUserExistenceErrors || hidesUserExistence(call);
}
