import type { ClientRecord } from './records.ts';

/** Reads app clients. */
export interface ClientReads {
  byId(id: string): Promise<ClientRecord | undefined>;
  /** All clients of a pool, oldest first. */
  listOf(poolId: string): Promise<readonly ClientRecord[]>;
}

/** The changeable parts of a client. Omitted members stay unchanged. */
export type ClientChange = Pick<ClientRecord, 'settings' | 'secretsEncrypted' | 'modifiedAtMs'> &
  Partial<Pick<ClientRecord, 'name'>>;

/** Reads and writes app clients. */
export interface ClientRepository extends ClientReads {
  insert(client: ClientRecord): Promise<void>;
  update(id: string, change: ClientChange): Promise<void>;
  /** Deletes a client of a pool and its logins. False if the pool has no such client. */
  delete(poolId: string, id: string): Promise<boolean>;
}
