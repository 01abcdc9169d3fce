import type { Federation, IdentityProvider, Input, Output, ProviderLinkRule } from '@poolgate/provider';
import { type Invocation, type RunCommand, UsageError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

type ProviderInput = Input<'CreateIdentityProvider'>;
type Listed = Output<'ListIdentityProviders'>['Providers'][number];

const TYPES: readonly ProviderInput['ProviderType'][] = [
  'OIDC',
  'Google',
  'SignInWithApple',
  'Facebook',
  'LoginWithAmazon',
];

/** The maximum page size of Cognito. */
const PAGE = 50;

/** Without these, the first users could not sign in: pools require an email address by default. */
const DEFAULT_MAPPING = { email: 'email', email_verified: 'email_verified' };

function parsePairs(invocation: Invocation, option: string): Readonly<Record<string, string>> {
  const pairs = invocation.values(option).map((text) => {
    const [, name, value] = /^([^=\s]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--${option} must have the form name=value`);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

function parseType(invocation: Invocation, name: string): ProviderInput['ProviderType'] {
  const [wanted = TYPES.find((type) => type === name) ?? 'OIDC'] = invocation.values('type');
  const type = TYPES.find((known) => known === wanted);
  if (type === undefined) throw new UsageError(`--type must be one of ${TYPES.join(', ')}`);
  return type;
}

function readDetails(invocation: Invocation): Record<string, string> {
  const [clientId] = invocation.values('client-id');
  const [issuer] = invocation.values('issuer');
  const scopes = invocation.values('scope');
  return {
    ...(clientId !== undefined && { client_id: clientId }),
    ...(issuer !== undefined && { oidc_issuer: issuer }),
    ...(scopes.length > 0 && { authorize_scopes: scopes.join(' ') }),
    ...parsePairs(invocation, 'detail'),
  };
}

/** @returns undefined: not named; null: no rule */
function parseLinkRule(invocation: Invocation): ProviderLinkRule | null | undefined {
  const [text] = invocation.values('link-by');
  if (text === undefined || text === '') return text === '' ? null : undefined;
  const [, Attribute, TrustedClaim] = /^(email|phone_number)=(\S+)$/.exec(text) ?? [];
  if ((Attribute !== 'email' && Attribute !== 'phone_number') || TrustedClaim === undefined) {
    throw new UsageError('--link-by must be email=<claim> or phone_number=<claim>');
  }
  return { Attribute, TrustedClaim };
}

function requireFederation({ extensions: { federation } }: IdentityProvider): Federation {
  if (federation === undefined) throw new UsageError('--link-by is only available with the embedded pool');
  return federation;
}

const secretName = (type: ProviderInput['ProviderType']) =>
  type === 'SignInWithApple' ? 'private_key' : 'client_secret';

/** Creates an identity provider. The command prompts for the secret, which is never an argument. */
export const runProviderCreate: RunCommand = async (invocation, terminal) => {
  const [ProviderName = ''] = invocation.operands;
  const ProviderType = parseType(invocation, ProviderName);
  const details = { authorize_scopes: 'openid email profile', ...readDetails(invocation) };
  const mapping = invocation.has('map') ? parsePairs(invocation, 'map') : DEFAULT_MAPPING;
  const rule = parseLinkRule(invocation);
  const name = secretName(ProviderType);
  const secret = invocation.has('public') ? '' : (await terminal.readSecret(`${name} of ${ProviderName}: `)).trim();
  const ProviderDetails = { ...details, ...(secret !== '' && { [name]: secret }) };
  const IdpIdentifiers = invocation.values('identifier');
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const input = {
      UserPoolId,
      ProviderName,
      ProviderType,
      ProviderDetails,
      AttributeMapping: mapping,
      IdpIdentifiers,
    };
    const created = rule
      ? requireFederation(provider).createProvider({ ...input, LinkRule: rule }, OPERATOR_CALL_CONTEXT)
      : provider.operations.createIdentityProvider(input, OPERATOR_CALL_CONTEXT);
    await translateProviderErrors(created);
    terminal.out(`created ${ProviderName}`);
    terminal.out(`Offer it to an app client: poolgate client update <client-id> --identity-provider ${ProviderName}`);
    return 0;
  });
};

/** Changes an identity provider. What is left out stays as it is. */
export const runProviderUpdate: RunCommand = async (invocation, terminal) => {
  const [ProviderName = ''] = invocation.operands;
  const details = readDetails(invocation);
  const mapping = invocation.has('map') ? parsePairs(invocation, 'map') : undefined;
  const rule = parseLinkRule(invocation);
  const asksSecret = invocation.has('secret');
  const changesDetails = Object.keys(details).length > 0 || asksSecret;
  if (!changesDetails && !['map', 'identifier', 'link-by'].some((option) => invocation.has(option))) {
    throw new UsageError(
      'name what to change: --client-id, --issuer, --scope, --detail, --map, --identifier, --link-by or --secret',
    );
  }
  const secret = asksSecret ? (await terminal.readSecret(`New secret of ${ProviderName}: `)).trim() : '';
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const ids = { UserPoolId, ProviderName };
    const { IdentityProvider: before } = await translateProviderErrors(
      provider.operations.describeIdentityProvider(ids, OPERATOR_CALL_CONTEXT),
    );
    const newSecret = secret === '' ? {} : { [secretName(before.ProviderType ?? 'OIDC')]: secret };
    const input = {
      ...ids,
      ...(changesDetails && { ProviderDetails: { ...before.ProviderDetails, ...details, ...newSecret } }),
      ...(mapping !== undefined && { AttributeMapping: mapping }),
      ...(invocation.has('identifier') && {
        IdpIdentifiers: invocation.values('identifier').filter((value) => value !== ''),
      }),
    };
    const updated =
      rule === undefined
        ? provider.operations.updateIdentityProvider(input, OPERATOR_CALL_CONTEXT)
        : requireFederation(provider).updateProvider({ ...input, LinkRule: rule }, OPERATOR_CALL_CONTEXT);
    await translateProviderErrors(updated);
    terminal.out(`changed ${ProviderName}`);
    return 0;
  });
};

/** Deletes an identity provider. */
export const runProviderDelete: RunCommand = async (invocation, terminal) => {
  const [ProviderName = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const ids = { UserPoolId, ProviderName };
    await translateProviderErrors(provider.operations.deleteIdentityProvider(ids, OPERATOR_CALL_CONTEXT));
    terminal.out(`deleted ${ProviderName}`);
    return 0;
  });
};

/** Prints one identity provider a line, or one JSON object a line. */
export const runProviderList: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    async function* listAll(): AsyncGenerator<Listed> {
      let place: string | undefined;
      do {
        const next = place === undefined ? {} : { NextToken: place };
        const asked = { UserPoolId, MaxResults: PAGE, ...next };
        const page = await translateProviderErrors(
          provider.operations.listIdentityProviders(asked, OPERATOR_CALL_CONTEXT),
        );
        yield* page.Providers;
        place = page.NextToken;
      } while (place !== undefined);
    }
    const list = {
      columns: ['NAME', 'TYPE'],
      empty: 'The pool has no identity providers. Create one: poolgate provider create <name>',
      rows: listAll(),
      cells: ({ ProviderName = '-', ProviderType }: Listed) => [ProviderName, ProviderType ?? '-'],
      facts: ({ ProviderName, ProviderType }: Listed) => ({ name: ProviderName, type: ProviderType }),
    };
    await printList(list, invocation, terminal);
    return 0;
  });
