/** One view for each kind of login step, in a table typed by the client's kinds. A new kind does not compile without a view. */
import type { LoginStep, StepKind, StepOf } from '@poolgate/client';
import type { Card } from '../ui/card.ts';
import { createAuthenticatorSetupCard } from './authenticator-setup-view.ts';
import { createSelectFactorCard, createSelectMfaCard } from './choice-views.ts';
import { createRecoveryCodeCard, createSentCodeCard, createTotpCard } from './code-views.ts';
import {
  createCustomCard,
  createDoneCard,
  createKeepAccountCard,
  createPasskeyCard,
  createRefusedCard,
} from './passkey-and-result-views.ts';
import { createNewPasswordCard, createPasswordCard } from './password-views.ts';
import type { StepContext, StepView, StepViews } from './step-view.ts';

const VIEWS: StepViews = {
  password: createPasswordCard,
  newPassword: createNewPasswordCard,
  selectFactor: createSelectFactorCard,
  selectMfa: createSelectMfaCard,
  totp: createTotpCard,
  sentCode: createSentCodeCard,
  recoveryCode: createRecoveryCodeCard,
  setUpAuthenticator: createAuthenticatorSetupCard,
  passkey: createPasskeyCard,
  custom: createCustomCard,
  keepAccount: createKeepAccountCard,
  done: createDoneCard,
  refused: createRefusedCard,
};

/** Creates the card of a step. */
export function createStepCard<Kind extends StepKind>(
  step: LoginStep & { readonly kind: Kind },
  context: StepContext,
): Card {
  // The compiler does not know that a step and the view of its kind belong together.
  const view = VIEWS[step.kind] as unknown as StepView<Kind>;
  return view(step as unknown as StepOf<Kind>, context);
}
