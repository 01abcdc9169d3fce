import type { MfaType } from '../deps.ts';
import { invalidField, refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endOthers } from '../tokens/end-others.ts';
import { preferenceOf, requireOffered } from './methods.ts';

/** PUT /user/mfa/preference. */
export const preferMfa: Handler<'mfaPreference'> = async (deps, { body, caller, context }) => {
  const { methods, preferred } = body;
  if (preferred !== undefined && methods[preferred] === false) {
    throw invalidField('preferred', 'mismatch', 'is switched off by the same request');
  }
  const named = new Map(Object.entries(methods) as [MfaType, boolean][]);
  if (preferred !== undefined) named.set(preferred, true);
  const on = [...named].filter(([, isOn]) => isOn).map(([method]) => method);
  if (on.length > 0) requireOffered(deps, on);
  const wishes = [...named].map(([method, Enabled]) => [method, { Enabled, ...preference(method, preferred) }]);
  await refusing(
    deps.provider.operations.setUserMFAPreference(
      { AccessToken: caller.accessToken, ...preferenceOf(Object.fromEntries(wishes)) },
      context,
    ),
    {
      ...TOKEN_REFUSALS,
      InvalidParameterException: on.length > 0 ? 'mfa_not_configured' : 'invalid_parameter',
    },
  );
  const ended = await endOthers(deps, caller, body.end_other_sessions, context);
  return { status: 200, body: { status: 'success', message: 'The preference is set.', data: {}, ...ended } };
};

function preference(method: MfaType, preferred: MfaType | undefined): { readonly PreferredMfa?: boolean } {
  return preferred === undefined ? {} : { PreferredMfa: method === preferred };
}
