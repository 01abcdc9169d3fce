/**
 * One view for each kind of login step, in a table typed over the kinds of the client. A new kind does not compile without a view.
 */
import type { LoginStep, StepKind, StepOf } from '@poolgate/client';
import type { Card } from '../ui/card.ts';
import { setUpAuthenticatorView } from './authenticator-setup-view.ts';
import { selectFactorView, selectMfaView } from './choice-views.ts';
import { recoveryCodeView, sentCodeView, totpView } from './code-views.ts';
import { customView, doneView, passkeyView, refusedView } from './passkey-and-result-views.ts';
import { newPasswordView, passwordView } from './password-views.ts';
import type { StepContext, StepView, StepViews } from './step-view.ts';

const VIEWS: StepViews = {
  password: passwordView,
  newPassword: newPasswordView,
  selectFactor: selectFactorView,
  selectMfa: selectMfaView,
  totp: totpView,
  sentCode: sentCodeView,
  recoveryCode: recoveryCodeView,
  setUpAuthenticator: setUpAuthenticatorView,
  passkey: passkeyView,
  custom: customView,
  done: doneView,
  refused: refusedView,
};

/** The card of a step. */
export function createStepCard<Kind extends StepKind>(
  step: LoginStep & { readonly kind: Kind },
  context: StepContext,
): Card {
  // The compiler does not see that a step and the view of its kind belong together.
  const view = VIEWS[step.kind] as unknown as StepView<Kind>;
  return view(step as unknown as StepOf<Kind>, context);
}
