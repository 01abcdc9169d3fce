import { defineSetting } from './setting.ts';
import { booleanKind, createChoiceKind } from './value-kinds.ts';

/** A value of `IDP_PROVIDER`. */
export type ProviderName = 'embedded' | 'cognito';

/** The identity provider, and how the gateway uses it. */
export const providerSettings = {
  provider: defineSetting('IDP_PROVIDER', createChoiceKind(['embedded', 'cognito']), {
    default: 'embedded',
    help: 'Which identity provider stands behind the service: a pool of its own, or Amazon Cognito (docs/reference/cognito.md).',
  }),
  srpAssisted: defineSetting('IDP_SRP_ASSISTED', booleanKind, {
    default: true,
    help: 'False refuses SRP answers that bring a password hash or a private value to the service: clients then sign themselves.',
  }),
  loginFlow: defineSetting('IDP_LOGIN_FLOW', createChoiceKind(['srp', 'password']), {
    default: 'srp',
    help: 'How `POST /login` with a password speaks to the provider: `srp` keeps the password here (the embedded pool checks it in process; towards Cognito the service speaks SRP), `password` passes it on.',
  }),
  introspect: defineSetting('IDP_INTROSPECT', booleanKind, {
    default: false,
    help: 'Ask the provider about every access token, so that what was ended there is seen at once.',
  }),
};
