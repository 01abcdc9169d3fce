/**
 * The types of the elements in JSX, for React 19 and other libraries that set properties and listen to the events of custom elements:
 *
 * ```ts
 * import type { PoolgateElements } from '@poolgate/elements/jsx';
 *
 * declare module 'react' {
 *   namespace JSX {
 *     interface IntrinsicElements extends PoolgateElements {}
 *   }
 * }
 * ```
 */
import type { ElementEvents, EventName } from './elements/element-events.ts';
import type {} from './index.ts';
import type { SettableOf } from './react.ts';

type TagName = Extract<keyof HTMLElementTagNameMap, `poolgate-${string}`>;

/** The attributes of an element: its properties, the listeners of its events, and what every HTML element has. */
export type ElementAttributes<Element extends HTMLElement> = {
  readonly [Name in SettableOf<Element>]?: Element[Name];
} & {
  readonly [Name in EventName as `on${Name}`]?: (event: CustomEvent<ElementEvents[Name]>) => void;
} & {
  readonly id?: string;
  readonly className?: string;
  readonly class?: string;
  readonly hidden?: boolean;
  readonly slot?: string;
  readonly style?: object;
  readonly key?: string | number | bigint | null;
  // Its type depends on the library.
  readonly ref?: unknown;
};

/** The elements by tag name. */
export type PoolgateElements = { readonly [Name in TagName]: ElementAttributes<HTMLElementTagNameMap[Name]> };
