import type { LoginStep, StepKind, StepOf } from '@poolgate/client';
import type { nothing, TemplateResult } from 'lit';
import type { Card } from '../ui/card.ts';
import type { RedrawTimer } from '../ui/code-field.ts';
import type { FieldOptions } from '../ui/fields.ts';
import type { FormValues } from '../ui/form-controller.ts';
import type { RenderContext } from '../ui/render-context.ts';

/** Leads to the next step. */
export type NextStep = () => Promise<LoginStep> | LoginStep;

/** The input of a step's view in addition to the step. */
export interface StepContext extends RenderContext, RedrawTimer {
  /** Goes to the next step, or shows the error. */
  go(button: string, next: NextStep): void;
  /** Handles a submit event. The named fields are required, and a new password must satisfy the rules. */
  answer(event: Event, fields: readonly string[], next: (values: FormValues) => Promise<LoginStep>): void;
  /** Restarts the sign-in. */
  readonly restart: () => void;
  /** Shows the other ways to sign in; undefined if only this user can sign in. */
  readonly otherWays: (() => void) | undefined;
  /** Copies a text and confirms it. */
  copy(text: string): void;
  /** The user who is signing in, with a way back. */
  identity(username: string | null): TemplateResult | typeof nothing;
  /** The hint of a field for a new password. */
  readonly passwordHint: Pick<FieldOptions, 'hint' | 'onInput'>;
  readonly accountUrl: string;
}

/** Renders one kind of step. */
export type StepView<Kind extends StepKind> = (step: StepOf<Kind>, context: StepContext) => Card;

/** A view for every kind. A step without one does not compile. */
export type StepViews = { readonly [Kind in StepKind]: StepView<Kind> };
