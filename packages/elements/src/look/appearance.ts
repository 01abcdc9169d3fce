/** The style of elements, in addition to the application's stylesheet. All members are optional. */
export interface Appearance {
  /** `auto` follows the device. */
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Custom properties without `--pg-`: `{ 'color-accent': '#0a7', radius: '4px' }`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** CSS classes by part: `{ button: 'btn', input: 'form-control' }`. */
  readonly elements?: Readonly<Record<string, string>>;
  readonly layout?: Layout;
}

/** The layout around the forms. */
export interface Layout {
  /** `card`: with border and shadow. `plain`: only the forms, for a place that the application styles. */
  readonly frame?: 'card' | 'plain';
  /** The application's name, shown in titles. */
  readonly appName?: string;
  /** The URL of a logo, whose alternative text is the application's name. */
  readonly logoUrl?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
}

/** The properties that an element received, so that a later appearance can remove them. */
const appliedVariables = new WeakMap<HTMLElement, readonly string[]>();

/** Applies theme, variables and frame to the root of an element, with `style.setProperty`, which no content security policy blocks. */
export function applyAppearance(root: HTMLElement, { theme = 'auto', variables = {}, layout = {} }: Appearance): void {
  root.dataset.poolgate = '';
  root.dataset.theme = theme;
  root.dataset.layout = layout.frame ?? 'card';
  for (const name of appliedVariables.get(root) ?? []) root.style.removeProperty(name);
  const names = Object.keys(variables).map((name) => `--pg-${name}`);
  for (const [name, value] of Object.entries(variables)) root.style.setProperty(`--pg-${name}`, value);
  appliedVariables.set(root, names);
}

/** Elements with an integrator's CSS classes. */
const appliedClasses = new WeakSet<HTMLElement>();

/** Adds the integrator's CSS classes to all parts, and removes the previous ones. */
export function applyPartClasses(root: HTMLElement, classes: Readonly<Record<string, string>>): void {
  if (Object.keys(classes).length === 0 && !appliedClasses.has(root)) return;
  appliedClasses.add(root);
  for (const part of root.querySelectorAll<HTMLElement | SVGElement>('[data-part]')) {
    const wanted = classes[part.dataset.part ?? ''] ?? '';
    if ((part.getAttribute('class') ?? '') === wanted) continue;
    if (wanted === '') part.removeAttribute('class');
    else part.setAttribute('class', wanted);
  }
}
