import { html, type TemplateResult } from 'lit';
import type { AdminRouteName } from '../api/admin-routes.ts';
import { AuditScreen } from '../screens/audit-screen.ts';
import { ClientListScreen } from '../screens/client-list-screen.ts';
import { ClientScreen } from '../screens/client-screen.ts';
import { GroupListScreen } from '../screens/group-list-screen.ts';
import { GroupScreen } from '../screens/group-screen.ts';
import { KeyListScreen } from '../screens/key-list-screen.ts';
import { NewClientScreen } from '../screens/new-client-screen.ts';
import { NewGroupScreen } from '../screens/new-group-screen.ts';
import { NewKeyScreen } from '../screens/new-key-screen.ts';
import { NewUserScreen } from '../screens/new-user-screen.ts';
import { NewWebhookScreen } from '../screens/new-webhook-screen.ts';
import { OverviewScreen } from '../screens/overview-screen.ts';
import { UserListScreen } from '../screens/user-list-screen.ts';
import { UserScreen } from '../screens/user-screen.ts';
import { WebhookListScreen } from '../screens/webhook-list-screen.ts';
import { WebhookScreen } from '../screens/webhook-screen.ts';
import type { TextId } from '../translations/texts.ts';
import { ConfirmationDialog } from '../ui/confirmation.ts';
import type { ConsoleContext } from '../ui/context.ts';
import type { ConsoleRoute } from '../ui/route.ts';

/** A screen of the console. */
export interface ScreenDefinition {
  /** The route that the session must be allowed to call. Absent: every session may see the screen. */
  readonly needs?: AdminRouteName;
  /** Its name in the navigation. */
  readonly navigation?: TextId;
  /** The screen in the navigation that it belongs to. Default: itself. */
  readonly within?: string;
  readonly render: (context: ConsoleContext, route: ConsoleRoute) => TemplateResult;
}

/** Every screen, by the first part of its address. */
export const SCREENS: Readonly<Record<string, ScreenDefinition>> = {
  '': {
    navigation: 'overview.title',
    render: (c, r) => html`<poolgate-console-overview .context=${c} .route=${r}></poolgate-console-overview>`,
  },
  users: {
    needs: 'adminUserList',
    navigation: 'users.title',
    render: (c, r) => html`<poolgate-console-users .context=${c} .route=${r}></poolgate-console-users>`,
  },
  'new-user': {
    needs: 'adminUserCreate',
    within: 'users',
    render: (c, r) => html`<poolgate-console-new-user .context=${c} .route=${r}></poolgate-console-new-user>`,
  },
  user: {
    needs: 'adminUserGet',
    within: 'users',
    render: (c, r) => html`<poolgate-console-user .context=${c} .route=${r}></poolgate-console-user>`,
  },
  groups: {
    needs: 'adminGroupList',
    navigation: 'groups.title',
    render: (c, r) => html`<poolgate-console-groups .context=${c} .route=${r}></poolgate-console-groups>`,
  },
  'new-group': {
    needs: 'adminGroupCreate',
    within: 'groups',
    render: (c, r) => html`<poolgate-console-new-group .context=${c} .route=${r}></poolgate-console-new-group>`,
  },
  group: {
    needs: 'adminGroupGet',
    within: 'groups',
    render: (c, r) => html`<poolgate-console-group .context=${c} .route=${r}></poolgate-console-group>`,
  },
  applications: {
    needs: 'adminClientList',
    navigation: 'clients.title',
    render: (c, r) => html`<poolgate-console-clients .context=${c} .route=${r}></poolgate-console-clients>`,
  },
  'new-application': {
    needs: 'adminClientCreate',
    within: 'applications',
    render: (c, r) => html`<poolgate-console-new-client .context=${c} .route=${r}></poolgate-console-new-client>`,
  },
  application: {
    needs: 'adminClientGet',
    within: 'applications',
    render: (c, r) => html`<poolgate-console-client .context=${c} .route=${r}></poolgate-console-client>`,
  },
  webhooks: {
    needs: 'adminWebhookList',
    navigation: 'webhooks.title',
    render: (c, r) => html`<poolgate-console-webhooks .context=${c} .route=${r}></poolgate-console-webhooks>`,
  },
  'new-webhook': {
    needs: 'adminWebhookCreate',
    within: 'webhooks',
    render: (c, r) => html`<poolgate-console-new-webhook .context=${c} .route=${r}></poolgate-console-new-webhook>`,
  },
  webhook: {
    needs: 'adminWebhookList',
    within: 'webhooks',
    render: (c, r) => html`<poolgate-console-webhook .context=${c} .route=${r}></poolgate-console-webhook>`,
  },
  keys: {
    needs: 'adminKeyList',
    navigation: 'keys.title',
    render: (c, r) => html`<poolgate-console-keys .context=${c} .route=${r}></poolgate-console-keys>`,
  },
  'new-key': {
    needs: 'adminKeyCreate',
    within: 'keys',
    render: (c, r) => html`<poolgate-console-new-key .context=${c} .route=${r}></poolgate-console-new-key>`,
  },
  audit: {
    needs: 'adminAudit',
    navigation: 'audit.title',
    render: (c, r) => html`<poolgate-console-audit .context=${c} .route=${r}></poolgate-console-audit>`,
  },
};

const ELEMENTS: Readonly<Record<string, CustomElementConstructor>> = {
  audit: AuditScreen,
  client: ClientScreen,
  clients: ClientListScreen,
  confirmation: ConfirmationDialog,
  group: GroupScreen,
  groups: GroupListScreen,
  keys: KeyListScreen,
  'new-client': NewClientScreen,
  'new-group': NewGroupScreen,
  'new-key': NewKeyScreen,
  'new-user': NewUserScreen,
  'new-webhook': NewWebhookScreen,
  overview: OverviewScreen,
  user: UserScreen,
  users: UserListScreen,
  webhook: WebhookScreen,
  webhooks: WebhookListScreen,
};

/** Defines the elements of every screen. */
export function defineScreens(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(`poolgate-console-${name}`, element);
}
