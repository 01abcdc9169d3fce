import { html, nothing, type TemplateResult } from 'lit';

/** Tells a password manager whose password it is, where the name is not asked for again. */
export const renderHiddenUsername = (username: string | null): TemplateResult | typeof nothing =>
  username === null
    ? nothing
    : html`<input hidden type="text" name="username" autocomplete="username" .value=${username} readonly tabindex="-1" />`;
