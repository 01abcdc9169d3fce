/** Components for React before 19, which sets only attributes and does not support custom element events. */
import type { LitElement, PropertyDeclarations } from 'lit';
import type { ElementEvents, EventName } from './elements/element-events.ts';
import * as exports from './index.ts';

type Exports = typeof exports;

/** The element classes by component name: `SignIn` for `PoolgateSignIn`. */
type ElementClasses = {
  readonly [Name in keyof Exports as Name extends `Poolgate${infer Component}` ? Component : never]: Exports[Name];
};

interface ElementClass {
  readonly properties: PropertyDeclarations;
}

const CLASS_PREFIX = 'Poolgate';

const isElement = (entry: [string, unknown]): entry is [string, ElementClass] => entry[0].startsWith(CLASS_PREFIX);

/** `poolgate-sign-in` for `PoolgateSignIn`. */
const toTag = (className: string): string =>
  className.replaceAll(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);

type Pascal<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;
type HandlerName<Name extends EventName> = Name extends `poolgate-${infer Rest}` ? `on${Pascal<Rest>}` : never;

/** The events by handler name. */
const EVENTS: { readonly [Name in EventName as HandlerName<Name>]: Name } = {
  onNavigate: 'poolgate-navigate',
  onStep: 'poolgate-step',
  onSignedIn: 'poolgate-signed-in',
  onSignedUp: 'poolgate-signed-up',
  onCodeSent: 'poolgate-code-sent',
  onVerified: 'poolgate-verified',
  onSignedOut: 'poolgate-signed-out',
  onStepUp: 'poolgate-step-up',
  onAccountChanged: 'poolgate-account-changed',
  onDeleted: 'poolgate-deleted',
  onPasswordReset: 'poolgate-password-reset',
  onReported: 'poolgate-reported',
};

/** The settable properties of an element: everything beyond those of Lit elements, except methods. */
export type SettableOf<Element> = {
  [Name in Exclude<keyof Element, keyof LitElement>]: Element[Name] extends () => unknown ? never : Name;
}[Exclude<keyof Element, keyof LitElement>];

/** The properties of a component: those of its element, handlers of its events, and those of every HTML element. */
export type ElementProps<Element extends HTMLElement> = {
  readonly [Name in SettableOf<Element>]?: Element[Name];
} & {
  readonly [Name in EventName as HandlerName<Name>]?: (event: CustomEvent<ElementEvents[Name]>) => void;
} & {
  readonly id?: string;
  readonly className?: string;
  readonly hidden?: boolean;
  readonly slot?: string;
  readonly key?: string | number | null;
  readonly ref?: ((element: Element | null) => void) | { readonly current: Element | null } | null;
};

/** The required parts of React, as in `import * as React from 'react'`. */
export interface ReactParts<Node> {
  createElement(type: string, props: Record<string, unknown>): Node;
  forwardRef(render: (props: never, ref: never) => Node): unknown;
  useCallback<Callback extends (node: HTMLElement | null) => void>(callback: Callback, inputs: unknown[]): Callback;
  useEffect(effect: () => void): void;
  useRef<Value>(initial: Value): { current: Value };
}

/** The components by name. */
export type Components<Node> = {
  readonly [Name in keyof ElementClasses]: (props: ElementProps<InstanceType<ElementClasses[Name]>>) => Node;
};

type Props = Readonly<Record<string, unknown>>;
type Ref = ((element: HTMLElement | null) => void) | { current: HTMLElement | null } | null;

/** An element's original properties, and its current handlers. */
interface ElementState {
  readonly initialValues: Map<string, unknown>;
  handlers: Props;
}

const isEvent = (name: string): name is keyof typeof EVENTS => Object.hasOwn(EVENTS, name);

/** Sets properties, and resets those that are no longer given. */
function applyProperties(
  element: HTMLElement,
  given: WeakMap<HTMLElement, ElementState>,
  properties: Props,
  handlers: Props,
): void {
  const known = given.get(element) ?? { initialValues: new Map<string, unknown>(), handlers };
  if (!given.has(element)) forwardEvents(element, known);
  given.set(element, known);
  known.handlers = handlers;
  for (const [name, value] of Object.entries(properties)) {
    if (!known.initialValues.has(name)) known.initialValues.set(name, Reflect.get(element, name));
    if (value !== undefined) Reflect.set(element, name, value);
  }
  for (const [name, value] of known.initialValues)
    if (properties[name] === undefined) Reflect.set(element, name, value);
}

function forwardEvents(element: HTMLElement, known: ElementState): void {
  for (const [handler, event] of Object.entries(EVENTS)) {
    element.addEventListener(event, (told) => {
      const act = known.handlers[handler];
      if (typeof act === 'function') act(told);
    });
  }
}

/** Splits props into element properties, event handlers and React's own. React before 19 passes `class` to custom elements unchanged. */
function splitProps(
  props: Props,
  settable: ReadonlySet<string>,
): { readonly [Part in 'own' | 'handlers' | 'rest']: Props } {
  const own: Record<string, unknown> = {};
  const handlers: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (settable.has(name)) own[name] = value;
    else if (isEvent(name)) handlers[name] = value;
    else rest[name === 'className' ? 'class' : name] = value;
  }
  return { own, handlers, rest };
}

function createComponent<Node>(react: ReactParts<Node>, tag: string, { properties }: ElementClass): unknown {
  const settable = new Set(Object.keys(properties).filter((name) => properties[name]?.state !== true));
  const given = new WeakMap<HTMLElement, ElementState>();

  return react.forwardRef((props: Props, ref: Ref) => {
    const { own, handlers, rest } = splitProps(props, settable);
    const held = react.useRef<HTMLElement | null>(null);
    const set = react.useRef<() => void>(() => undefined);
    set.current = () => {
      if (held.current !== null) applyProperties(held.current, given, own, handlers);
    };
    // The first time, before the service is called; effects run later.
    const attach = react.useCallback(
      (node: HTMLElement | null) => {
        held.current = node;
        set.current();
        if (typeof ref === 'function') ref(node);
        else if (ref !== null) ref.current = node;
      },
      [ref],
    );
    react.useEffect(() => set.current());
    return react.createElement(tag, { ...rest, ref: attach });
  });
}

/**
 * Creates the components for React before 19, with the application's React. They also work with later versions.
 * @param react `import * as React from 'react'`
 */
export function createComponents<Node>(react: ReactParts<Node>): Components<Node> {
  const made = Object.entries<unknown>(exports)
    .filter(isElement)
    .map(([name, element]) => [name.slice(CLASS_PREFIX.length), createComponent(react, toTag(name), element)]);
  return Object.fromEntries(made) as Components<Node>;
}
