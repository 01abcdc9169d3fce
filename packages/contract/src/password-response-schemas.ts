import type { Schema } from './schema.ts';
import { texts } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

/** What a page asks for together with a code. */
export const signInField = {
  sign_in: {
    type: 'boolean',
    description:
      'Browser sessions only: true also signs in the browser that requested the code. Elsewhere, and in any other browser, it has no effect.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** A reset code was sent. */
export const resetCode = createSuccessSchema(
  {},
  {
    session: {
      type: 'string',
      description: 'Belongs to the code. Send both to /password/reset. Missing only if Amazon Cognito is the provider.',
    },
  },
);

/** A registration. Existing users get the same shape, so that it reveals nothing. */
export const registration = createSuccessSchema({
  session: {
    type: 'string',
    description: 'To be sent back with the code: it tells this registration from others of the same address.',
  },
});

/** A range of a breached-password list. */
export const passwordRange = createSuccessSchema({
  suffixes: {
    ...texts,
    description: 'The other 35 digits of each SHA-1 on the list that begins with the prefix, in upper case.',
  },
});

/** What a client needs to compute the verifier of a new password. */
export const passwordStart = createSuccessSchema({
  username: { type: 'string', description: 'The SRP identity. Of a new user: to be sent with /register.' },
  salt: { type: 'string', description: 'A fresh salt, hexadecimal.' },
});

/** A changed password. */
export const passwordChange = createSuccessSchema({
  login_ended: {
    type: 'boolean',
    description: 'True if the provider cannot distinguish logins, so this one has ended too.',
  },
});
