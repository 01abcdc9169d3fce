import type { Check } from './form.ts';

/** Something must be typed. */
export const required: Check = (value) => (value.trim() === '' ? { id: 'field.required' } : undefined);

/** Digits only; people type spaces and hyphens between them, and some keyboards write digits of their own. */
export const plainCode = (typed: string): string => typed.normalize('NFKC').replaceAll(/[\s-]/g, '');
