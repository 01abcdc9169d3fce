/**
 * The building blocks of elements: cards, fields, buttons, errors and the state of a form. These functions return templates and know
 * nothing about logins.
 */
import type { Translation } from '../translations/language-catalogue.ts';
import type { FormController } from './form-controller.ts';

/** The input of templates: the texts, the form's state, and unique ids for its fields. */
export interface RenderContext {
  readonly translation: Translation;
  readonly form: FormController;
  /** The id of an element by its short name. */
  id(name: string): string;
}
