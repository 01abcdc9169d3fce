import { createHash } from 'node:crypto';

/**
 * The style of pages that the service renders itself: errors and OAuth pages. It is a small version of the other pages' style that needs no
 * scripts or files.
 */
export const PLAIN_STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { box-sizing: border-box; margin: 0; min-height: 100vh; padding: clamp(1rem, 6vh, 6rem) clamp(.75rem, 4vw, 2rem) 2rem; background: light-dark(#f4f5f9, #0c0f15); color: light-dark(#14171f, #f1f3f8); }
main { box-sizing: border-box; max-width: 26rem; margin: 0 auto; padding: clamp(1.25rem, 6vw, 2.5rem); background: light-dark(#fff, #161a22); border: 1px solid light-dark(#e2e5ec, #2a313e); border-radius: 1.125rem; box-shadow: 0 18px 48px -18px light-dark(rgb(30 40 90 / 22%), rgb(0 0 0 / 70%)); overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
p { margin: .5rem 0; text-wrap: pretty; }
p, small { color: light-dark(#565e6e, #a7b0c0); }
p.status { margin: 0 0 .25rem; font-weight: 650; }
p.link, p.request { margin-top: 1.5rem; }
a { color: light-dark(#3b4fd6, #93a4ff); text-underline-offset: .2em; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
input { box-sizing: border-box; display: block; width: 100%; min-height: 2.875rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid light-dark(#8b93a3, #667085); border-radius: .625rem; background: light-dark(#fff, #0f1218); color: light-dark(#14171f, #f1f3f8); font: inherit; letter-spacing: .08em; }
label { color: light-dark(#14171f, #f1f3f8); font-weight: 550; }
button { min-height: 2.875rem; padding: .5rem 1rem; border: 1px solid light-dark(#cdd2dd, #3a4352); border-radius: .625rem; background: none; color: inherit; font: inherit; font-weight: 550; cursor: pointer; }
button:hover { background: light-dark(#f5f6f9, #1f2530); }
button:first-of-type { border-color: transparent; background: light-dark(#3b4fd6, #93a4ff); color: light-dark(#fff, #0b1030); font-weight: 650; }
button:first-of-type:hover { background: light-dark(#2f41ba, #adbaff); }
:focus-visible { outline: 2px solid light-dark(#3b4fd6, #b4c0ff); outline-offset: 2px; }
@media (forced-colors: active) { button:first-of-type { border: 2px solid ButtonText; } }
`;

/** The style's source in a content security policy (CSP Level 3 §2.3.1). */
export const PLAIN_STYLE_SOURCE = toStyleSource(PLAIN_STYLE);

function toStyleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** A page that was rendered with {@link PLAIN_STYLE}, and its policy. */
interface StyledPage {
  readonly html: string;
  readonly policy: string;
}

/** Adds a brand's rules to a page. The policy allows these rules by their digest, and images of this origin for the logo. */
export function brandPlainPage({ html, policy }: StyledPage, rules: string): StyledPage {
  const css = `${PLAIN_STYLE}${rules}\n`;
  const source = `${toStyleSource(css)}; img-src 'self'`;
  return {
    html: html.replace(`<style>${PLAIN_STYLE}</style>`, () => `<style>${css}</style>`),
    policy: policy.replace(PLAIN_STYLE_SOURCE, () => source),
  };
}
