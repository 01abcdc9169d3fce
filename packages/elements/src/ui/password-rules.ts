import type { LoginParameters } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { Translation } from '../translations/language-catalogue.ts';
import type { MessageId } from '../translations/languages.ts';
import type { FieldCheck } from './form-controller.ts';

/** The pool's password requirements; null if unknown. */
export type NullablePasswordPolicy = LoginParameters['password_policy'];

interface Rule {
  readonly id: MessageId;
  readonly count?: number;
  readonly isMet: (password: string) => boolean;
}

function listRules(policy: NonNullable<NullablePasswordPolicy>): readonly Rule[] {
  const { minimum_length: count } = policy;
  const all: readonly (Rule & { readonly isAsked: boolean })[] = [
    { id: 'rules.length', count, isMet: (password) => [...password].length >= count, isAsked: true },
    { id: 'rules.lowercase', isMet: (password) => /\p{Ll}/u.test(password), isAsked: policy.require_lowercase },
    { id: 'rules.uppercase', isMet: (password) => /\p{Lu}/u.test(password), isAsked: policy.require_uppercase },
    { id: 'rules.number', isMet: (password) => /\p{Nd}/u.test(password), isAsked: policy.require_numbers },
    {
      id: 'rules.symbol',
      isMet: (password) => [...policy.symbols].some((symbol) => password.includes(symbol)),
      isAsked: policy.require_symbols,
    },
  ];
  return all.filter(({ isAsked }) => isAsked);
}

/** The pool's rules, and whether the password satisfies each. */
export function renderPasswordRules(
  translation: Translation,
  policy: NullablePasswordPolicy | undefined,
  password: string,
): TemplateResult | typeof nothing {
  if (!policy) return nothing;
  return html`<span data-part="live">${translation.text('rules.title')}</span>
    <ul data-part="rules">
      ${listRules(policy).map(({ id, count = 0, isMet }) => {
        const met = isMet(password);
        return html`<li data-part="rule" ?data-met=${met}>
          <span>${translation.text(id, { count })}<span data-part="live"> – ${translation.text(met ? 'rules.met' : 'rules.unmet')}</span></span>
        </li>`;
      })}
    </ul>
    ${password === '' ? nothing : html`<span data-part="strength" data-strength=${rateStrength(password)}>${translation.text(`password.${rateStrength(password)}`)}</span>`}`;
}

/** Bits of an estimate, from which on a password counts as good or strong. */
const GOOD_BITS = 45;
const STRONG_BITS = 70;

const CLASSES: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{Nd}/u, 10],
  [/\p{Lo}/u, 100],
  [/[^\p{L}\p{Nd}]/u, 32],
];

/** Rates a password by its length and its kinds of characters. Characters that continue a run, such as `aaa` or `123`, count half. */
export function rateStrength(password: string): 'weak' | 'good' | 'strong' {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  const size = CLASSES.reduce((sum, [pattern, count]) => sum + (pattern.test(password) ? count : 0), 0);
  const isRun = (code: number, at: number): boolean => Math.abs(code - (codes[at - 1] ?? Number.NaN)) <= 1;
  const counted = codes.filter((code, at) => !isRun(code, at)).length;
  const bits = ((counted + codes.length) / 2) * Math.log2(Math.max(2, size));
  return bits < GOOD_BITS ? 'weak' : bits < STRONG_BITS ? 'good' : 'strong';
}

/** Checks a new password against the pool's rules. The service checks them again if it sees the password. */
export const createPasswordCheck =
  (policy: NullablePasswordPolicy | undefined): FieldCheck =>
  (password) => {
    if (password === '') return { id: 'field.required' };
    const isGood = !policy || listRules(policy).every(({ isMet }) => isMet(password));
    return isGood ? undefined : { id: 'field.password' };
  };
