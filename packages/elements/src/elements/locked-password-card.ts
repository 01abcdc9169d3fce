import type { FirstFactor, LoginStep, PoolgateError } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { renderFactorChoices } from '../steps/choice-views.ts';
import type { StepContext } from '../steps/step-view.ts';
import type { Card } from '../ui/card.ts';
import { renderLinkButton } from '../ui/fields.ts';
import { createWaitText } from '../ui/form-error.ts';

/** A locked password, with the service's information about it. */
export interface PasswordLock {
  readonly username: string | null;
  readonly error: PoolgateError;
}

/** The passwordless ways to sign in that this card offers. */
const PASSWORDLESS_FACTORS: readonly FirstFactor[] = ['WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'];

/** Returns the lock that a step reports; undefined if none. */
export function findPasswordLock(step: LoginStep): PasswordLock | undefined {
  if (step.kind !== 'password' || step.error?.availableChallenges === undefined) return undefined;
  return { username: step.username, error: step.error };
}

/** The input of the card in addition to the lock. */
export interface LockedCardOptions
  extends Pick<StepContext, 'form' | 'translation' | 'id' | 'go' | 'identity' | 'restart'> {
  /** Whether the browser supports passkeys. */
  readonly canUsePasskeys: boolean;
  readonly resetLink: TemplateResult;
  readonly choose: (factor: FirstFactor) => Promise<LoginStep>;
}

/** Offers other ways to sign in while the password is locked. They are the same for every username. */
export function createLockedCard({ username, error }: PasswordLock, context: LockedCardOptions): Card {
  const { translation } = context;
  const { id, values } = createWaitText(error.retryAfterSeconds ?? 1);
  const available = PASSWORDLESS_FACTORS.filter(
    (factor) => error.availableChallenges?.includes(factor) && (factor !== 'WEB_AUTHN' || context.canUsePasskeys),
  );
  return {
    title: translation.text('locked.title'),
    subtitle: translation.text(id, values),
    mark: { icon: 'lock' },
    body: html`${context.identity(username)}
      ${
        available.length === 0
          ? nothing
          : html`<p data-part="text">${translation.text('locked.otherWays')}</p>
            ${renderFactorChoices(context, available, context.choose)}`
      }
      <p data-part="text">${translation.text('locked.device')}</p>
      ${context.resetLink}`,
    footer: renderLinkButton(context, 'locked.tryAgain', 'restart', context.restart),
  };
}
