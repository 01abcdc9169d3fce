import type { LoginStep, StepKind, StepOf } from '@poolgate/client';
import type { Card } from '../ui/frame.ts';
import { selectFactorView, selectMfaView } from './choices.ts';
import { recoveryCodeView, sentCodeView, totpView } from './codes.ts';
import { customView, doneView, passkeyView, refusedView } from './endings.ts';
import { newPasswordView, passwordView } from './passwords.ts';
import { setUpAuthenticatorView } from './set-up.ts';
import type { StepContext, StepView, StepViews } from './view.ts';

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
export function cardOf<Kind extends StepKind>(step: LoginStep & { readonly kind: Kind }, context: StepContext): Card {
  // The compiler does not see that a step and the view of its kind belong together.
  const view = VIEWS[step.kind] as unknown as StepView<Kind>;
  return view(step as unknown as StepOf<Kind>, context);
}
