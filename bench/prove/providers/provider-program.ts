/** The registration of the service at a provider. */
export interface Registration {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

/** The user of a provider. */
export const PROVIDER_USER = { email: 'ada@example.test', password: 'password' } as const;

/** A running OpenID Connect provider with {@link PROVIDER_USER}. */
export interface RunningProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Starts a provider that knows the service. @param folder removed by the caller */
export type StartProvider = (folder: string, registration: Registration) => Promise<RunningProvider>;
