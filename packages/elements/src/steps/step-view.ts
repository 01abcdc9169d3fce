import type { LoginStep, StepKind, StepOf } from '@poolgate/client';
import type { nothing, TemplateResult } from 'lit';
import type { Card } from '../ui/card.ts';
import type { RedrawTimer } from '../ui/code-field.ts';
import type { FieldOptions } from '../ui/fields.ts';
import type { FormValues } from '../ui/form-controller.ts';
import type { RenderContext } from '../ui/render-context.ts';

/** What leads to the next step. */
export type NextStep = () => Promise<LoginStep> | LoginStep;

/** What a step's view may use beside the step. */
export interface StepContext extends RenderContext, RedrawTimer {
  /** Goes to the next step, whatever it is; what is refused is shown. */
  go(button: string, next: NextStep): void;
  /** Handles a submit event: the named fields must be filled in, and a new password meet the rules. */
  answer(event: Event, fields: readonly string[], next: (values: FormValues) => Promise<LoginStep>): void;
  /** Back to where the sign-in begins. */
  readonly restart: () => void;
  /** Has this device remembered, then finishes. */
  remember(rememberDevice: (name?: string) => Promise<void>): void;
  /** Nothing is left to ask. */
  readonly finish: () => void;
  /** Copies a text, and says so. */
  copy(text: string): void;
  /** Who is signing in, with a way back. */
  identity(username: string | null): TemplateResult | typeof nothing;
  /** What a field for a new password has beside it. */
  readonly passwordHint: Pick<FieldOptions, 'hint' | 'onInput'>;
  readonly accountUrl: string;
}

/** How one kind of step is shown. */
export type StepView<Kind extends StepKind> = (step: StepOf<Kind>, context: StepContext) => Card;

/** A view for every kind: a step without one does not compile. */
export type StepViews = { readonly [Kind in StepKind]: StepView<Kind> };
