import type { FieldCheck } from './form-controller.ts';

/** Requires a value. */
export const checkRequired: FieldCheck = (value) => (value.trim() === '' ? { id: 'field.required' } : undefined);

/** Requires something that looks like an email address. Only an email can verify it. */
export const checkEmail: FieldCheck = (value) =>
  /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? undefined : { id: value.trim() === '' ? 'field.required' : 'field.email' };

/** Keeps digits only, because people type spaces and hyphens, and some keyboards produce other digits. */
export const normalizeCode = (typed: string): string => typed.normalize('NFKC').replaceAll(/[\s-]/g, '');
