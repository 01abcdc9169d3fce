/** Why the browser returned no passkey. */
export type PasskeyFailure = 'cancelled' | 'timedOut' | 'alreadyRegistered' | 'notSupported';
