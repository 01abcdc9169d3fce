import { MIN_SECRET_LENGTH } from './process-settings.ts';
import { isRepetitiveSecret } from './repetitive-secret.ts';
import { defineSetting } from './setting.ts';
import { createOptionalKind, createSecretKind, type ReadResult, type ValueKind } from './value-kinds.ts';

/** An admin key from the environment. */
export interface AdminKeySetting {
  readonly id: string;
  readonly secret: string;
}

/** In code it may also be the parsed form. */
function toText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return String(input);
  const { id, secret } = input as Readonly<Record<string, unknown>>;
  return `${id}:${secret}`;
}

const adminKey: ValueKind<AdminKeySetting> = {
  allowed: `id:secret, with an id of 1 to 64 lowercase letters and digits and a random secret of ${MIN_SECRET_LENGTH} to 256 printable characters without spaces`,
  read(input): ReadResult<AdminKeySetting> {
    const parts = /^([a-z\d]{1,64}):([!-~]{32,256})$/.exec(toText(input));
    const [, id, secret] = parts ?? [];
    return id === undefined || secret === undefined || isRepetitiveSecret(secret)
      ? { ok: false, problem: 'is not an admin key' }
      : { ok: true, value: { id, secret } };
  },
  show: (key) => `${key.id}:…`,
};

/**
 * The admin key from the environment. It is separate from the gateway's settings, which are passed on as a whole, because it contains a
 * secret.
 */
export const adminKeySettings = {
  bootstrapAdminKey: defineSetting(
    'POOLGATE_BOOTSTRAP_ADMIN_KEY',
    createOptionalKind(createSecretKind(adminKey), '(none)'),
    {
      default: undefined,
      defaultText: 'none',
      sensitive: true,
      help: 'An admin key with every scope. It is kept only in memory and stops working when you unset the variable.',
    },
  ),
};
