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
    </ul>`;
}

/** Checks a new password against the pool's rules. The service checks them again if it sees the password. */
export const createPasswordCheck =
  (policy: NullablePasswordPolicy | undefined): FieldCheck =>
  (password) => {
    if (password === '') return { id: 'field.required' };
    const isGood = !policy || listRules(policy).every(({ isMet }) => isMet(password));
    return isGood ? undefined : { id: 'field.password' };
  };
