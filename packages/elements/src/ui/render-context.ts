/**
 * What elements are drawn with: cards, fields, buttons, errors and the state of a form. These functions return templates and know no
 * login.
 */
import type { Translation } from '../translations/language-catalogue.ts';
import type { FormController } from './form-controller.ts';

/** What a template is drawn with: the texts, the form's state, and names for its fields that nothing else on the page has. */
export interface RenderContext {
  readonly translation: Translation;
  readonly form: FormController;
  /** The id of an element by its short name. */
  id(name: string): string;
}
