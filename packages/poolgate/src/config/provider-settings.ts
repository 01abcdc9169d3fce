import { defineSetting } from './setting.ts';
import { booleanKind, createChoiceKind } from './value-kinds.ts';

/** A value of `IDP_PROVIDER`. */
export type ProviderName = 'embedded' | 'cognito';

/** The identity provider, and how the gateway uses it. */
export const providerSettings = {
  provider: defineSetting('IDP_PROVIDER', createChoiceKind(['embedded', 'cognito']), {
    default: 'embedded',
    help: 'The identity provider behind the service: the embedded pool, or Amazon Cognito (docs/reference/cognito.md).',
  }),
  srpAssisted: defineSetting('IDP_SRP_ASSISTED', booleanKind, {
    default: true,
    help: '`false` refuses SRP responses that send a password hash or a private value to the service. Clients must then compute the signature themselves.',
  }),
  loginFlow: defineSetting('IDP_LOGIN_FLOW', createChoiceKind(['srp', 'password']), {
    default: 'srp',
    help: 'How `POST /login` with a password talks to the provider. `srp` keeps the password in this service: the embedded pool checks it in process, and Cognito is called with SRP. `password` passes it on.',
  }),
  introspect: defineSetting('IDP_INTROSPECT', booleanKind, {
    default: false,
    help: 'Whether to check every access token with the provider, so that sessions that ended there are refused at once.',
  }),
};
