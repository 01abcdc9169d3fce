import type { EmbeddedPool } from '@poolgate/pool';
import type { CallContext, ProviderOperations } from '@poolgate/provider';
import type { Shape } from '@poolgate/provider/aws-json';
import type { Members } from './members.ts';

/** What resources are made with. */
export interface ResourcePorts {
  readonly operations: ProviderOperations;
  readonly pool: Pick<EmbeddedPool, 'createPoolWithId' | 'createClientWithId'>;
  readonly call: CallContext;
}

/** Which resource it is: the pool, and its id there. Of a pool both are the same. */
export interface ResourceIds {
  readonly poolId: string;
  readonly physicalId: string;
}

/** A change of a resource that exists. */
export interface ResourceChange {
  /** What the file says. */
  readonly desired: Members;
  /** How the resource is. */
  readonly current: Members;
  /** Members that the file said before and no longer does: they return to their default. */
  readonly removed: readonly string[];
  /** Members that differ, the removed ones included. */
  readonly changed: ReadonlySet<string>;
  /** Whether the resource was being created when an apply was interrupted. */
  readonly isInterrupted: boolean;
}

/** What other resources and outputs can ask of a resource. */
export interface ResourceAttributes {
  /** What `Ref` gives. */
  readonly ref: string;
  /** What `Fn::GetAtt` gives, by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** One kind of resource: what a file can say of it, and how that is made. */
export interface ResourceType {
  /** Its name here, such as `UserPool`. */
  readonly name: string;
  /** How a refusal names it. */
  readonly title: string;
  /** Its members under the names of the API, `UserPoolId` included. */
  readonly shape: Shape;
  /** Its members under the names of CloudFormation. */
  readonly templateShape: Shape;
  /** Absent: CloudFormation has the names of the API. */
  readonly fromTemplate?: (members: Members) => Members;
  /** The member that is its id within the pool; absent: an id is generated. */
  readonly nameMember?: string;
  /** Members that cannot change: another value makes a new resource. */
  readonly fixed: readonly string[];
  /** What of a change makes a new resource beyond `fixed`; `applied` is what the file said before. */
  readonly findReplacement?: (applied: Members, desired: Members) => string | undefined;
  /** Paths of values that must not be shown. */
  readonly secretPaths: readonly string[];
  /** Members that count at creation only. */
  readonly initial?: readonly string[];
  /** True: its name is in use until it is gone, so it is removed before its replacement is made. */
  readonly isRemovedFirst?: true;
  /** True: users change it themselves, so what differs from the file is no drift. */
  readonly isOwnedByUsers?: true;
  /** How the resource is; undefined where there is none. */
  find(ports: ResourcePorts, ids: ResourceIds): Promise<Members | undefined>;
  /** Why a resource with this id cannot be created; undefined where it can. */
  readonly findConflict?: (ports: ResourcePorts, ids: ResourceIds) => Promise<string | undefined>;
  create(ports: ResourcePorts, ids: ResourceIds, desired: Members): Promise<void>;
  update(ports: ResourcePorts, ids: ResourceIds, change: ResourceChange): Promise<void>;
  /** Absent: nothing removes such a resource. */
  readonly remove?: (ports: ResourcePorts, ids: ResourceIds) => Promise<void>;
  /** Why this one must stay; undefined where it can be removed. */
  readonly findReasonToKeep?: (ports: ResourcePorts, ids: ResourceIds) => Promise<string | undefined>;
  readAttributes(ids: ResourceIds, described: Members, account: string): ResourceAttributes;
}
