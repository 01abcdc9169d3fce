import { html, type TemplateResult } from 'lit';
import type { Answer } from '../api/admin-routes.ts';
import type { Translation } from '../translations/catalogue.ts';
import { InputError } from '../ui/failure.ts';
import { readChecks, readLines, readNumber, readText, renderChecks, renderField } from '../ui/fields.ts';
import { findAddressProblem } from './address-problem.ts';

type Client = Answer<'adminClientGet'>['client'];

const OAUTH_FLOWS = ['code', 'implicit', 'client_credentials'];
const AUTH_FLOWS = [
  'ALLOW_USER_SRP_AUTH',
  'ALLOW_USER_AUTH',
  'ALLOW_USER_PASSWORD_AUTH',
  'ALLOW_ADMIN_USER_PASSWORD_AUTH',
  'ALLOW_CUSTOM_AUTH',
  'ALLOW_CLIENT_TOKEN_AUTH',
  'ALLOW_REFRESH_TOKEN_AUTH',
];

const toChoices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** Renders the settings of an application. */
export function renderClientFields({ text }: Translation, client?: Client): TemplateResult {
  const lines = (values: readonly string[] = []): string => values.join('\n');
  return html`${renderField({ name: 'client_name', label: text('clients.name'), value: client?.client_name, isRequired: true, maxLength: 128 })}
  ${renderField({ name: 'callback_urls', label: text('clients.callbacks'), value: lines(client?.callback_urls), hint: text('clients.callbacksHint'), isLong: true })}
  ${renderField({ name: 'logout_urls', label: text('clients.logouts'), value: lines(client?.logout_urls), hint: text('clients.logoutsHint'), isLong: true })}
  ${renderChecks('oauth_flows', text('clients.flows'), toChoices(OAUTH_FLOWS), client?.oauth_flows ?? [])}
  ${renderField({ name: 'scopes', label: text('clients.scopes'), value: lines(client?.scopes), hint: text('clients.scopesHint'), isLong: true })}
  ${renderChecks('auth_flows', text('clients.authFlows'), toChoices(AUTH_FLOWS), client?.auth_flows ?? ['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'])}
  ${client === undefined ? '' : renderLifetimes(text, client)}`;
}

function renderLifetimes(text: Translation['text'], client: Client): TemplateResult {
  const field = (name: 'access_token_seconds' | 'id_token_seconds' | 'refresh_token_seconds', label: string) =>
    renderField({ name, label, type: 'number', value: String(client[name]), isRequired: true });
  return html`${field('access_token_seconds', text('clients.accessSeconds'))}
  ${field('id_token_seconds', text('clients.idSeconds'))} ${field('refresh_token_seconds', text('clients.refreshSeconds'))}`;
}

/**
 * Reads the settings of an application.
 * @throws {InputError} an address can never match, with the reason in the user's language
 */
export function readClientFields(translation: Translation, form: FormData): Readonly<Record<string, unknown>> {
  const callbacks = readLines(form, 'callback_urls');
  const logouts = readLines(form, 'logout_urls');
  for (const address of [...callbacks, ...logouts]) {
    const problem = findAddressProblem(address);
    if (problem !== undefined) throw new InputError(translation.text(problem, { url: address }));
  }
  const seconds = ['access_token_seconds', 'id_token_seconds', 'refresh_token_seconds'].flatMap((name) => {
    const value = readNumber(form, name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    client_name: readText(form, 'client_name') ?? '',
    callback_urls: callbacks,
    logout_urls: logouts,
    oauth_flows: readChecks(form, 'oauth_flows'),
    scopes: readLines(form, 'scopes'),
    auth_flows: readChecks(form, 'auth_flows'),
    ...Object.fromEntries(seconds),
  };
}
