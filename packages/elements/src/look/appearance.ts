/** How elements look, beside what a stylesheet of the application says. All of it may be left out. */
export interface Appearance {
  /** `auto` follows the device. */
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Custom properties by their name without `--pg-`: `{ 'color-accent': '#0a7', radius: '4px' }`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Classes for parts, by the name of the part: `{ button: 'btn', input: 'form-control' }`. */
  readonly elements?: Readonly<Record<string, string>>;
  readonly layout?: Layout;
}

/** What stands around the forms. */
export interface Layout {
  /** `card`: with border and shadow. `plain`: the forms alone, for a place that the application has drawn. */
  readonly frame?: 'card' | 'plain';
  /** What users know the application by; shown in titles. */
  readonly appName?: string;
  /** URL of a picture; its alternative text is the name of the application. */
  readonly logoUrl?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
}

/** Properties that an element was given, so that a later appearance takes them back. */
const appliedVariables = new WeakMap<HTMLElement, readonly string[]>();

/** Puts theme, variables and frame on the root of an element. By `style.setProperty`, which no content security policy stops. */
export function applyAppearance(root: HTMLElement, { theme = 'auto', variables = {}, layout = {} }: Appearance): void {
  root.dataset.poolgate = '';
  root.dataset.theme = theme;
  root.dataset.layout = layout.frame ?? 'card';
  for (const name of appliedVariables.get(root) ?? []) root.style.removeProperty(name);
  const names = Object.keys(variables).map((name) => `--pg-${name}`);
  for (const [name, value] of Object.entries(variables)) root.style.setProperty(`--pg-${name}`, value);
  appliedVariables.set(root, names);
}

/** Elements that have classes of an integrator. */
const appliedClasses = new WeakSet<HTMLElement>();

/** Gives every part the classes that the integrator names for it, and takes back those of before. */
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
