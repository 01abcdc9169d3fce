import type { FirstFactor, LoginStep, PoolgateError } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { choices } from '../steps/choices.ts';
import type { StepContext } from '../steps/view.ts';
import { linkButton } from '../ui/fields.ts';
import { waitText } from '../ui/form-error.ts';
import type { Card } from '../ui/frame.ts';

/** A password that is locked, and what the service said about it. */
export interface LockedPassword {
  readonly username: string | null;
  readonly error: PoolgateError;
}

/** Ways in that this card offers: those that need no password. */
const OFFERED: readonly FirstFactor[] = ['WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'];

/** The lock that a step reports; undefined where it reports none. */
export function lockedPassword(step: LoginStep): LockedPassword | undefined {
  if (step.kind !== 'password' || step.error?.availableChallenges === undefined) return undefined;
  return { username: step.username, error: step.error };
}

/** What the card needs beside the lock. */
export interface LockedContext
  extends Pick<StepContext, 'form' | 'translation' | 'id' | 'go' | 'identity' | 'restart'> {
  /** Whether the browser knows passkeys. */
  readonly canUsePasskeys: boolean;
  readonly resetLink: TemplateResult;
  readonly choose: (factor: FirstFactor) => Promise<LoginStep>;
}

/** Offers the other ways in while the password is locked: the same for every username. */
export function lockedCard({ username, error }: LockedPassword, context: LockedContext): Card {
  const { translation } = context;
  const { id, values } = waitText(error.retryAfterSeconds ?? 1);
  const available = OFFERED.filter(
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
            ${choices(context, available, context.choose)}`
      }
      <p data-part="text">${translation.text('locked.device')}</p>
      ${context.resetLink}`,
    footer: linkButton(context, 'locked.tryAgain', 'restart', context.restart),
  };
}
