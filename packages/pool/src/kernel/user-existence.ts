import type { CallContext } from '@poolgate/provider';
import type { ClientRecord } from '../store/records.ts';
import type { CallPort } from './ports.ts';

/** Whether a call comes from where no answer may tell that a name is taken or a user unconfirmed, whatever Cognito answers. */
export function hidesUserExistence({ entryPoint }: CallContext): boolean {
  return entryPoint === 'routes';
}

/** Whether an answer must not tell whether a user exists: the client hides it, or the call comes by the routes, where none tells it. */
export function hidesUsers({ call }: CallPort, { settings }: Pick<ClientRecord, 'settings'>): boolean {
  return settings.preventUserExistenceErrors || hidesUserExistence(call);
}
