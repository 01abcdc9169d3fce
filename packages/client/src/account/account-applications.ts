import type { RouteResponse } from '../transport/routes.ts';
import type { AccountDependencies } from './account-requests.ts';

/** An application that can act for the user. */
export type ConnectedApplication = RouteResponse<'userApplications'>['applications'][number];

/** The applications with OAuth grants of the signed-in user. */
export interface Applications {
  /** @throws {PoolgateError} `feature_disabled` */
  list(): Promise<readonly ConnectedApplication[]>;
  /** Revokes an application's access. Its tokens end. @throws {PoolgateError} `client_not_found` */
  end(clientId: string): Promise<void>;
}

/** Creates the methods for connected applications. */
export function createApplications({ transport }: AccountDependencies): Applications {
  return {
    list: async () => (await transport.send('userApplications')).applications,
    end: async (clientId) => void (await transport.send('userApplicationEnd', { params: { client_id: clientId } })),
  };
}
