/** The service's settings for the console, embedded as JSON. */
export interface ConsoleSettings {
  /** The product name that users know. */
  readonly appName: string;
  /** The prefix of the routes for browsers, such as `/cognito`. */
  readonly prefix: string;
  /** Where programs reach the API, if the console has a separate host. */
  readonly apiUrl?: string | undefined;
}

/** The name of the `meta` element with the {@link ConsoleSettings}. */
export const SETTINGS_META_NAME = 'poolgate-console';
