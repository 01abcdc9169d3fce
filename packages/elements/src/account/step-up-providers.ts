import type { Client, ConnectedIdentity } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { formatProviderName } from '../ui/provider-name.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { renderSmallButton } from './list-items.ts';

/** Buttons to sign in again at a provider, which sends the browser back to this page. The user then repeats the change. */
export function renderStepUpProviders(
  context: RenderContext,
  service: Client,
  identities: readonly ConnectedIdentity[] = [],
): TemplateResult | typeof nothing {
  if (service.mode !== 'session' || identities.length === 0) return nothing;
  const providers = new Map(identities.map(({ provider, type }) => [provider, { name: provider, type }] as const));
  const buttons = [...providers.values()].map((provider) =>
    renderSmallButton(context, {
      label: 'identities.signInAgain',
      values: { name: formatProviderName(provider) },
      name: `step-up ${provider.name}`,
      onClick: () =>
        void context.form.run(`step-up ${provider.name}`, async () => {
          location.assign(await service.identities.reauthenticate(provider.name, location.href));
        }),
    }),
  );
  return html`<div data-part="actions">${buttons}</div>`;
}
