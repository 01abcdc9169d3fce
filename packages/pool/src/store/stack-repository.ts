import type { StackResourceRecord } from './records.ts';

/** Which apply may change a stack, and until when. */
export interface StackLease {
  readonly stack: string;
  readonly leaseId: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/** Reads what was made from infrastructure files. */
export interface StackReads {
  /** The resources of one stack, by logical id. */
  listResources(stack: string): Promise<readonly StackResourceRecord[]>;
  /** The resources of every stack. */
  listAllResources(): Promise<readonly StackResourceRecord[]>;
}

/** Reads and writes what was made from infrastructure files. */
export interface StackRepository extends StackReads {
  /** False while another apply holds the lease of the stack. */
  takeLease(lease: StackLease): Promise<boolean>;
  /** False where the lease expired and another apply took it. */
  extendLease(lease: StackLease): Promise<boolean>;
  releaseLease(stack: string, leaseId: string): Promise<void>;
  /** Inserts a resource, or replaces the one with its stack and logical id. */
  putResource(resource: StackResourceRecord): Promise<void>;
  deleteResource(stack: string, logicalId: string): Promise<void>;
}
