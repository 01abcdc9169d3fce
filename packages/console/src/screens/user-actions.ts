import type { Answer } from '../api/admin-routes.ts';
import type { TextId } from '../translations/texts.ts';
import type { Question } from '../ui/confirmation.ts';
import type { ConsoleContext } from '../ui/context.ts';

/** An action on a user: its question, and what is shown afterwards. */
export interface UserAction extends Omit<Question, 'onDone'> {
  readonly id: string;
  readonly done: string;
  /** The screen to open afterwards. */
  readonly leaveTo?: string;
}

interface ActionRow {
  readonly id: string;
  readonly name:
    | 'adminUserDisable'
    | 'adminUserEnable'
    | 'adminUserResetPassword'
    | 'adminUserSignOut'
    | 'adminUserMfaReset'
    | 'adminUserDelete';
  readonly title: TextId;
  readonly text: TextId;
  readonly done: TextId;
  /** Whether the action is for disabled users, for enabled ones, or for both. */
  readonly isFor?: 'enabled' | 'disabled';
}

const ACTIONS: readonly ActionRow[] = [
  {
    id: 'disable',
    name: 'adminUserDisable',
    title: 'user.disable',
    text: 'user.disableText',
    done: 'user.disabled',
    isFor: 'enabled',
  },
  {
    id: 'enable',
    name: 'adminUserEnable',
    title: 'user.enable',
    text: 'user.enableText',
    done: 'user.enabled',
    isFor: 'disabled',
  },
  {
    id: 'reset',
    name: 'adminUserResetPassword',
    title: 'user.reset',
    text: 'user.resetText',
    done: 'user.resetDone',
  },
  {
    id: 'sign-out-user',
    name: 'adminUserSignOut',
    title: 'user.signOut',
    text: 'user.signOutText',
    done: 'user.signedOut',
  },
  {
    id: 'reset-mfa',
    name: 'adminUserMfaReset',
    title: 'user.resetMfa',
    text: 'user.resetMfaText',
    done: 'user.mfaReset',
  },
  {
    id: 'delete',
    name: 'adminUserDelete',
    title: 'user.delete',
    text: 'user.deleteText',
    done: 'user.deleted',
  },
];

/** Lists what can be done with a user in its current state. */
export function listUserActions(
  { translation: { text } }: ConsoleContext,
  { username, email, enabled = true }: Answer<'adminUserGet'>['user'],
): readonly UserAction[] {
  return ACTIONS.filter(({ isFor }) => isFor === undefined || (isFor === 'enabled') === enabled).map(
    ({ id, name, title, text: effect, done }) => {
      const isDeletion = name === 'adminUserDelete';
      return {
        id,
        title: text(title),
        text: text(effect),
        done: text(done),
        call: { name, params: { username }, ...(isDeletion && { body: { confirm: true } }) },
        ...(isDeletion && { typed: email || username, isDanger: true, leaveTo: 'users' }),
      };
    },
  );
}
