import type { Check } from './form.ts';

/** Something must be typed. */
export const required: Check = (value) => (value.trim() === '' ? { id: 'field.required' } : undefined);

/** Looks like an e-mail address. What one is in truth, only a mail tells. */
export const email: Check = (value) =>
  /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? undefined : { id: value.trim() === '' ? 'field.required' : 'field.email' };

/** Digits only; people type spaces and hyphens between them, and some keyboards write digits of their own. */
export const plainCode = (typed: string): string => typed.normalize('NFKC').replaceAll(/[\s-]/g, '');
