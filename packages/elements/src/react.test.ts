import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createClient } from '@poolgate/client';
import { createComponents, type ReactParts } from './react.ts';

interface Manifest {
  readonly modules: readonly { readonly declarations: readonly { readonly tagName: string }[] }[];
}

interface Drawn {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/** What React does with one component: hooks in order, references before effects, elements that stay. */
function fakeReact() {
  const kept: unknown[] = [];
  const effects: (() => void)[] = [];
  let place = 0;
  let attached: unknown;
  let element: HTMLElement | undefined;
  type Render = (props: unknown, ref: unknown) => Drawn;

  const react: ReactParts<Drawn> = {
    createElement: (type, props) => ({ type, props }),
    forwardRef: (render) => render,
    useRef: <Value>(initial: Value) => {
      kept[place] ??= { current: initial };
      return kept[place++] as { current: Value };
    },
    useCallback: (callback, inputs) => {
      const known = kept[place] as { readonly callback: typeof callback; readonly inputs: unknown[] } | undefined;
      const isSame = known?.inputs.every((input, index) => input === inputs[index]) ?? false;
      if (!isSame) kept[place] = { callback, inputs };
      return (kept[place++] as { readonly callback: typeof callback }).callback;
    },
    useEffect: (effect) => {
      effects.push(effect);
    },
  };

  function draw(component: unknown, props: object, ref: unknown = null) {
    place = 0;
    const drawn = (component as Render)(props, ref);
    const Element = customElements.get(drawn.type);
    assert.ok(Element);
    element ??= new Element();
    const attach = drawn.props.ref as (node: HTMLElement | null) => void;
    if (attached !== attach) attach(element);
    attached = attach;
    for (const effect of effects.splice(0)) effect();
    return { ...drawn, element };
  }
  return { react, draw };
}

const told = (name: string, detail: object) => Object.assign(new Event(name, { cancelable: true }), { detail });

describe('the components for React', () => {
  const client = createClient({ baseUrl: 'https://auth.example.com' });

  it('set properties on the element, unchanged, and leave attributes to React', () => {
    const { react, draw } = fakeReact();
    const { SignIn } = createComponents(react);
    const links = { signIn: '/in', signUp: '/up', forgotPassword: '/forgot', account: '/me' };
    const { type, props, element } = draw(SignIn, { client, links, purpose: 'step-up', className: 'wide', id: 'in' });
    assert.equal(type, 'poolgate-sign-in');
    const { ref, ...attributes } = props;
    assert.equal(typeof ref, 'function');
    assert.deepEqual(attributes, { class: 'wide', id: 'in' });
    assert.equal(Reflect.get(element, 'client'), client);
    assert.equal(Reflect.get(element, 'links'), links);
    assert.equal(Reflect.get(element, 'purpose'), 'step-up');
  });

  it('have set them when the reference exists, so that no request uses the wrong client', () => {
    const { react, draw } = fakeReact();
    let seen: unknown;
    const ref = (element: object | null): void => {
      seen = element && Reflect.get(element, 'client');
    };
    draw(createComponents(react).Account, { client }, ref);
    assert.equal(seen, client);
  });

  it('change properties, and reset those that are left out', () => {
    const { react, draw } = fakeReact();
    const { Verify } = createComponents(react);
    const { element } = draw(Verify, { username: 'ada@example.com', asks: true });
    draw(Verify, { username: 'bob@example.com', asks: true });
    assert.equal(Reflect.get(element, 'username'), 'bob@example.com');
    draw(Verify, { username: undefined });
    assert.equal(Reflect.get(element, 'username'), '');
    assert.equal(Reflect.get(element, 'asks'), false);
  });

  it('call the handler of the last rendering once, and none that is left out', () => {
    const { react, draw } = fakeReact();
    const { SignIn } = createComponents(react);
    const calls: string[] = [];
    const { element, props } = draw(SignIn, { onSignedIn: () => calls.push('first') });
    assert.deepEqual(Object.keys(props), ['ref']);
    draw(SignIn, {
      onSignedIn: (event: CustomEvent<{ readonly username: string }>) => {
        calls.push(event.detail.username);
        event.preventDefault();
      },
    });
    assert.equal(element.dispatchEvent(told('poolgate-signed-in', { username: 'ada' })), false);
    assert.deepEqual(calls, ['ada']);
    draw(SignIn, {});
    assert.equal(element.dispatchEvent(told('poolgate-signed-in', { username: 'ada' })), true);
    assert.deepEqual(calls, ['ada']);
  });

  it('do not touch internal properties', () => {
    const { react, draw } = fakeReact();
    const { SignIn } = createComponents(react);
    const { element } = draw(SignIn, { step: { kind: 'done' } });
    assert.equal(Reflect.get(element, 'step'), undefined);
  });

  it('pass on a reference that is an object', () => {
    const { react, draw } = fakeReact();
    const ref = { current: null };
    const { element } = draw(createComponents(react).Profile, {}, ref);
    assert.equal(ref.current, element);
  });

  it('release an element that leaves the page', () => {
    const { react, draw } = fakeReact();
    const seen: unknown[] = [];
    const ref = (element: object | null): void => void seen.push(element);
    const { props, element } = draw(createComponents(react).SignIn, { username: 'ada' }, ref);
    (props.ref as (node: null) => void)(null);
    assert.deepEqual(seen, [element, null]);
  });

  it('exist for every element of the package', () => {
    const { modules } = JSON.parse(
      readFileSync(new URL('../custom-elements.json', import.meta.url), 'utf8'),
    ) as Manifest;
    const tags = modules.flatMap(({ declarations }) => declarations.map(({ tagName }) => tagName));
    const names = Object.keys(createComponents(fakeReact().react)) as (keyof ReturnType<typeof createComponents>)[];
    const made = names.map((name) => {
      const { react, draw } = fakeReact();
      return draw(createComponents(react)[name], {}).type;
    });
    assert.deepEqual(made.toSorted(), tags.toSorted());
  });
});
