/** Why the browser gave no passkey. */
export type PasskeyFailure = 'cancelled' | 'timedOut' | 'alreadyRegistered' | 'notSupported';
