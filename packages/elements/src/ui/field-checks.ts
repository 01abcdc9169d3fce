import type { FieldCheck } from './form-controller.ts';

/** Something must be typed. */
export const checkRequired: FieldCheck = (value) => (value.trim() === '' ? { id: 'field.required' } : undefined);

/** Looks like an e-mail address. What one is in truth, only a mail tells. */
export const checkEmail: FieldCheck = (value) =>
  /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? undefined : { id: value.trim() === '' ? 'field.required' : 'field.email' };

/** Digits only; people type spaces and hyphens between them, and some keyboards write digits of their own. */
export const normalizeCode = (typed: string): string => typed.normalize('NFKC').replaceAll(/[\s-]/g, '');
