import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html, render } from 'lit';
import { createEnglishTranslation } from '../testing/english.ts';
import { renderCard } from './card.ts';
import { type FieldOptions, renderButton, renderField } from './fields.ts';
import { FormController } from './form-controller.ts';
import type { RenderContext } from './render-context.ts';

/** A form in which nothing has happened yet. */
function createContext(): RenderContext {
  const host = Object.assign(document.createElement('div'), { addController: () => {}, requestUpdate: () => {} });
  const form = new FormController(host as unknown as ConstructorParameters<typeof FormController>[0]);
  return { form, translation: createEnglishTranslation(), id: (name) => `id-${name}` };
}

/** What a template renders. */
function draw(template: unknown): HTMLElement {
  const root = document.createElement('div');
  render(template, root);
  return root;
}

const FIELD = { name: 'it', label: 'common.name', autocomplete: 'off' } as const;

describe('a field', () => {
  const attributesOf = (options: Partial<FieldOptions>, ...names: readonly string[]) => {
    const input = draw(renderField(createContext(), { ...FIELD, ...options })).querySelector('input');
    return names.map((name) => input?.getAttribute(name) ?? null);
  };

  it('is spell-checked by the browser only for words', () => {
    for (const [options, ...values] of [
      [{}, null, null, null, 'auto'],
      [{ type: 'email' }, null, null, 'false', null],
      [{ type: 'tel' }, null, null, 'false', null],
      [{ kind: 'username' }, 'none', 'off', 'false', null],
      [{ kind: 'password' }, 'none', 'off', 'false', null],
      [{ kind: 'recovery' }, 'none', 'off', 'false', null],
      [{ kind: 'code' }, 'none', 'off', 'false', null],
    ] as const) {
      const given = attributesOf(options, 'autocapitalize', 'autocorrect', 'spellcheck', 'dir');
      assert.deepEqual(given, values, JSON.stringify(options));
    }
  });

  it('for a code has a keyboard of digits, and room for a code with spaces', () => {
    assert.deepEqual(attributesOf({ kind: 'code' }, 'inputmode', 'maxlength'), ['numeric', '12']);
    assert.deepEqual(attributesOf({}, 'inputmode', 'maxlength'), [null, null]);
    assert.deepEqual(attributesOf({ maxLength: 64 }, 'inputmode', 'maxlength'), [null, '64']);
  });

  it('hides only a password', () => {
    assert.deepEqual(attributesOf({ kind: 'password' }, 'type'), ['password']);
    assert.deepEqual(attributesOf({ kind: 'recovery' }, 'type'), ['text']);
    assert.deepEqual(attributesOf({ type: 'email' }, 'type'), ['email']);
  });

  it('shows what it needs and where that is explained', () => {
    const names = ['aria-required', 'readonly', 'aria-describedby'] as const;
    assert.deepEqual(attributesOf({}, ...names), ['true', null, null]);
    assert.deepEqual(attributesOf({ isOptional: true, isReadOnly: true }, ...names), [null, '', null]);
    const explained = { hint: html`Hint`, describedBy: 'id-subtitle' };
    assert.deepEqual(attributesOf(explained, 'aria-describedby'), ['id-it-hint id-subtitle']);
    const root = draw(renderField(createContext(), { ...FIELD, ...explained, isOptional: true }));
    assert.equal(root.querySelector('#id-it-hint')?.textContent, 'Hint');
    assert.equal(root.querySelector('label')?.htmlFor, root.querySelector('input')?.id);
    assert.ok(root.querySelector('[data-part=optional]'));
  });
});

describe('a button', () => {
  it('submits its form, unless it does something itself', () => {
    const button = (onClick?: () => void) =>
      draw(
        renderButton(createContext(), { label: 'common.continue', name: 'go', ...(onClick && { onClick }) }),
      ).querySelector('button');
    assert.equal(button()?.type, 'submit');
    let clicks = 0;
    const own = button(() => {
      clicks++;
    });
    own?.click();
    assert.deepEqual([own?.type, clicks], ['button', 1]);
  });
});

describe('a title', () => {
  it('does not break after the hyphen of a compound word', () => {
    const card = renderCard(createContext(), {}, { title: 'Confirm your e-mail address', body: html`` });
    const title = draw(card).querySelector('h1');
    assert.equal(title?.textContent, 'Confirm your e-mail address');
    const unbroken = [...(title?.querySelectorAll('[data-part=unbroken]') ?? [])].map(({ textContent }) => textContent);
    assert.deepEqual(unbroken, ['e-mail']);
  });
});
