import { html, svg, type TemplateResult } from 'lit';

/** Paths in a square of 24. They add nothing to the text next to them. */
const SHAPES = {
  eye: svg`<path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12Z"/><circle cx="12" cy="12" r="3"/>`,
  eyeOff: svg`<path d="M10.6 5.1A9.8 9.8 0 0 1 12 5c6.4 0 10 7 10 7a17 17 0 0 1-3 3.9M6.6 6.7A17 17 0 0 0 2 12s3.6 7 10 7a9.6 9.6 0 0 0 5.3-1.6M9.9 9.9a3 3 0 0 0 4.2 4.2M3 3l18 18"/>`,
  key: svg`<circle cx="8" cy="15" r="4.5"/><path d="m11.3 11.7 8.2-8.2M16 7l3 3M13.5 9.5l2 2"/>`,
  mail: svg`<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="m4 7.5 8 6 8-6"/>`,
  phone: svg`<rect x="6.5" y="2.5" width="11" height="19" rx="2.5"/><path d="M11 18.5h2"/>`,
  lock: svg`<rect x="4.5" y="10.5" width="15" height="10" rx="2.5"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3"/>`,
  shield: svg`<path d="M12 2.8 4.5 5.6v5.9c0 4.6 3.1 8 7.5 9.7 4.4-1.7 7.5-5.1 7.5-9.7V5.6L12 2.8Z"/><path d="m8.8 12 2.3 2.3 4.2-4.4"/>`,
  fingerprint: svg`<path d="M5.2 7.4A8.5 8.5 0 0 1 20.5 12v1.5M3.5 12c0-1 .2-2 .5-2.9M3.6 16.5c.9-1.4 1.2-3 1.2-4.5a7.2 7.2 0 0 1 3.2-6M8 20c1.2-2.3 1.8-5 1.8-8a2.2 2.2 0 0 1 4.4 0v1.4M6 18.4c.9-1.9 1.3-4.1 1.3-6.4a4.7 4.7 0 0 1 9.4 0c0 2.6-.3 5-1 7.3M12 12c0 3.4-.6 6.6-1.9 9.3M14 16.5c-.3 1.7-.7 3.3-1.3 4.9"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19.5 7"/>`,
  alert: svg`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.4v.1"/>`,
  laptop: svg`<rect x="4" y="5" width="16" height="11" rx="2"/><path d="M2 19.5h20"/>`,
} as const;

/** The name of an icon. */
export type IconName = keyof typeof SHAPES;

/** An icon that screen readers skip. */
export const renderIcon = (name: IconName): TemplateResult =>
  html`<svg data-part="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SHAPES[name]}</svg>`;
