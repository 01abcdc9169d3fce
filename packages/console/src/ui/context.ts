import type { AdminRouteName } from '../api/admin-routes.ts';
import { ADMIN_ROUTES } from '../api/admin-routes.ts';
import type { ConsoleClient, Session } from '../api/console-client.ts';
import type { Translation } from '../translations/catalogue.ts';
import { formatRoute } from './route.ts';

/** What every screen needs. */
export interface ConsoleContext {
  readonly client: ConsoleClient;
  readonly session: Session;
  readonly translation: Translation;
  /** Where programs reach the API. */
  readonly apiUrl: string;
  /** The scroll positions of the places that were left, by their fragments, so that lists keep their place. */
  readonly positions: Map<string, number>;
  /** The last address of each screen that was open, with its filters and its page, so that a way back leads there. */
  readonly places: Map<string, string>;
}

/** Formats the way back to a list: the address where the user left it. */
export function formatWayBack({ places }: Pick<ConsoleContext, 'places'>, screen: string): string {
  return places.get(screen) ?? formatRoute(screen);
}

/** Whether the session may call a route. The service decides again at each call. */
export function mayCall({ session }: Pick<ConsoleContext, 'session'>, name: AdminRouteName): boolean {
  return session.scopes.includes(ADMIN_ROUTES[name].scope);
}
