/** Components for React before 19, which sets attributes only and knows no events of custom elements. */
import { PoolgateAccount } from './account/account-element.ts';
import { PoolgateChangePassword } from './account/change-password.ts';
import { PoolgateDeleteAccount } from './account/delete-account.ts';
import { PoolgateDevices } from './account/devices-section.ts';
import { PoolgateMfa } from './account/mfa-section.ts';
import { PoolgatePasskeys } from './account/passkeys-section.ts';
import { PoolgateProfile } from './account/profile-section.ts';
import { PoolgateSessions } from './account/sessions-section.ts';
import { PoolgateConfirmLink } from './elements/confirm-link.ts';
import type { ElementEvents, EventName } from './elements/element-events.ts';
import { PoolgateForgotPassword } from './elements/forgot-password.ts';
import { PoolgateNotMe } from './elements/not-me.ts';
import { PoolgateResetPassword } from './elements/reset-password.ts';
import { PoolgateSignIn } from './elements/sign-in.ts';
import { PoolgateSignUp } from './elements/sign-up.ts';
import { PoolgateVerify } from './elements/verify.ts';
import './index.ts';

const ELEMENTS = {
  SignIn: ['poolgate-sign-in', PoolgateSignIn],
  SignUp: ['poolgate-sign-up', PoolgateSignUp],
  Verify: ['poolgate-verify', PoolgateVerify],
  ForgotPassword: ['poolgate-forgot-password', PoolgateForgotPassword],
  ResetPassword: ['poolgate-reset-password', PoolgateResetPassword],
  ConfirmLink: ['poolgate-confirm-link', PoolgateConfirmLink],
  NotMe: ['poolgate-not-me', PoolgateNotMe],
  Account: ['poolgate-account', PoolgateAccount],
  Profile: ['poolgate-profile', PoolgateProfile],
  ChangePassword: ['poolgate-change-password', PoolgateChangePassword],
  Mfa: ['poolgate-mfa', PoolgateMfa],
  Passkeys: ['poolgate-passkeys', PoolgatePasskeys],
  Devices: ['poolgate-devices', PoolgateDevices],
  Sessions: ['poolgate-sessions', PoolgateSessions],
  DeleteAccount: ['poolgate-delete-account', PoolgateDeleteAccount],
} as const;

type Pascal<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;
type HandlerName<Name extends EventName> = Name extends `poolgate-${infer Rest}` ? `on${Pascal<Rest>}` : never;

/** The events, by the names of their handlers. */
const EVENTS: { readonly [Name in EventName as HandlerName<Name>]: Name } = {
  onNavigate: 'poolgate-navigate',
  onStep: 'poolgate-step',
  onSignedIn: 'poolgate-signed-in',
  onSignedUp: 'poolgate-signed-up',
  onVerified: 'poolgate-verified',
  onSignedOut: 'poolgate-signed-out',
  onStepUp: 'poolgate-step-up',
  onAccountChanged: 'poolgate-account-changed',
  onDeleted: 'poolgate-deleted',
  onPasswordReset: 'poolgate-password-reset',
  onReported: 'poolgate-reported',
};

type ElementOf<Name extends keyof typeof ELEMENTS> = InstanceType<(typeof ELEMENTS)[Name][1]>;

/** What an application may set of an element. */
type Settable = 'client' | 'appearance' | 'texts' | 'links' | 'language';
type SettableOf<Element> = Element extends PoolgateSignIn
  ? Settable | 'username' | 'purpose' | 'flow' | 'notice'
  : Element extends PoolgateVerify
    ? Settable | 'username' | 'registration' | 'asks'
    : Element extends PoolgateForgotPassword | PoolgateResetPassword
      ? Settable | 'username'
      : Element extends PoolgateNotMe
        ? Settable | 'token'
        : Element extends PoolgateConfirmLink
          ? Settable | 'link'
          : Settable;

/** The properties of a component: those of its element, handlers of its events, and what every element of HTML has. */
export type ElementProps<Element extends HTMLElement> = {
  readonly [Name in SettableOf<Element> & keyof Element]?: Element[Name];
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

/** What is needed of React; `import * as React from 'react'` has it. */
export interface ReactParts<Node> {
  createElement(type: string, props: Record<string, unknown>): Node;
  forwardRef(render: (props: never, ref: never) => Node): unknown;
  useCallback<Callback extends (node: HTMLElement | null) => void>(callback: Callback, inputs: unknown[]): Callback;
  useEffect(effect: () => void): void;
  useRef<Value>(initial: Value): { current: Value };
}

/** The components, by their names. */
export type Components<Node> = {
  readonly [Name in keyof typeof ELEMENTS]: (props: ElementProps<ElementOf<Name>>) => Node;
};

type Props = Readonly<Record<string, unknown>>;
type Ref = ((element: HTMLElement | null) => void) | { current: HTMLElement | null } | null;

/** What an element was given: how it was before, and its handlers as they are now. */
interface ElementState {
  readonly initialValues: Map<string, unknown>;
  handlers: Props;
}

const isEvent = (name: string): name is keyof typeof EVENTS => Object.hasOwn(EVENTS, name);

/** Sets properties, and takes back those that are left out by now. */
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

/** What goes to the element as properties, to its events, and to React. React before 19 gives custom elements `class` as it is. */
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

function createComponent<Node>(
  react: ReactParts<Node>,
  [tag, element]: (typeof ELEMENTS)[keyof typeof ELEMENTS],
): unknown {
  const settable = new Set(Object.keys(element.properties).filter((name) => element.properties[name]?.state !== true));
  const given = new WeakMap<HTMLElement, ElementState>();

  return react.forwardRef((props: Props, ref: Ref) => {
    const { own, handlers, rest } = splitProps(props, settable);
    const held = react.useRef<HTMLElement | null>(null);
    const set = react.useRef<() => void>(() => undefined);
    set.current = () => {
      if (held.current !== null) applyProperties(held.current, given, own, handlers);
    };
    // The first time before anything is asked of the service: effects come later than that.
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
 * Makes the components for React before 19, with the React of the application. They run with later ones too.
 * @param react `import * as React from 'react'`
 */
export function createComponents<Node>(react: ReactParts<Node>): Components<Node> {
  const made = Object.entries(ELEMENTS).map(([name, entry]) => [name, createComponent(react, entry)]);
  return Object.fromEntries(made) as Components<Node>;
}
