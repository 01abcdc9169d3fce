import { html, nothing, type TemplateResult } from 'lit';

/** Tells a password manager the username, in forms that do not ask for it. */
export const renderHiddenUsername = (username: string | null): TemplateResult | typeof nothing =>
  username === null
    ? nothing
    : html`<input hidden type="text" name="username" autocomplete="username" .value=${username} readonly tabindex="-1" />`;
