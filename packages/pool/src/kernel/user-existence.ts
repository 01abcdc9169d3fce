import type { CallContext } from '@poolgate/provider';

/** Whether a call comes from where no answer may tell that a name is taken or a user unconfirmed, whatever Cognito answers. */
export function hidesUserExistence({ entryPoint }: CallContext): boolean {
  return entryPoint === 'routes';
}
