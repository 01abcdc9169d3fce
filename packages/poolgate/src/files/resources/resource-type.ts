import type { EmbeddedPool } from '@poolgate/pool';
import type { CallContext, ProviderOperations } from '@poolgate/provider';
import type { Shape } from '@poolgate/provider/aws-json';
import type { Members } from './members.ts';

/** The dependencies of resources. */
export interface ResourcePorts {
  readonly operations: ProviderOperations;
  readonly pool: Pick<EmbeddedPool, 'createPoolWithId' | 'createClientWithId'>;
  readonly call: CallContext;
}

/** The dependencies for reading resources. */
export type ResourceReadPorts = Pick<ResourcePorts, 'call' | 'operations'>;

/** Identifies a resource: the pool, and the id there. For a pool both are the same. */
export interface ResourceIds {
  readonly poolId: string;
  readonly physicalId: string;
}

/** A change of a resource that exists. */
export interface ResourceChange {
  /** The members in the file. */
  readonly desired: Members;
  /** The current members. */
  readonly current: Members;
  /** Members that are no longer in the file: they return to their default. */
  readonly removed: readonly string[];
  /** Members that differ, including removed ones. */
  readonly changed: ReadonlySet<string>;
  /** Whether the resource was being created when an apply was interrupted. */
  readonly isInterrupted: boolean;
}

/** The attributes of a resource that other resources and outputs can read. */
export interface ResourceAttributes {
  /** The result of `Ref`. */
  readonly ref: string;
  /** The results of `Fn::GetAtt`, by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** One kind of resource: its members in files, and its operations. */
export interface ResourceType {
  /** Its name here, such as `UserPool`. */
  readonly name: string;
  /** Its name in errors. */
  readonly title: string;
  /** Its members under the names of the API, including `UserPoolId`. */
  readonly shape: Shape;
  /** Its members under the names of CloudFormation. */
  readonly templateShape: Shape;
  /** Absent: CloudFormation has the names of the API. */
  readonly fromTemplate?: (members: Members) => Members;
  /** The member that is its id within the pool; absent: an id is generated. */
  readonly nameMember?: string;
  /** Members that cannot change: another value creates a new resource. */
  readonly fixed: readonly string[];
  /** Whether a change beyond `fixed` creates a new resource; `applied` contains the previous members of the file. */
  readonly findReplacement?: (applied: Members, desired: Members) => string | undefined;
  /** Set if it has no effect here: it is stored if `POOLGATE_UNSUPPORTED_SETTINGS` allows that, and refused otherwise. */
  readonly unsupported?: { readonly promisesSecurity: boolean };
  /** Paths of values that must not be shown. */
  readonly secretPaths: readonly string[];
  /** Paths where the API returns a value again, or where {@link fromTemplate} moves it, by the path in the file. */
  readonly otherPaths?: ReadonlyMap<string, string>;
  /** Members that count only at creation. */
  readonly initial?: readonly string[];
  /** True: its name is in use until it is removed, so it is removed before its replacement is created. */
  readonly isRemovedFirst?: true;
  /** True: users change it themselves, so differences from the file are not drift. */
  readonly isOwnedByUsers?: true;
  /** Returns the current resource; undefined if it does not exist. */
  find(ports: ResourceReadPorts, ids: ResourceIds): Promise<Members | undefined>;
  /** Returns why a resource with this id cannot be created; undefined if it can. */
  readonly findConflict?: (ports: ResourcePorts, ids: ResourceIds) => Promise<string | undefined>;
  create(ports: ResourcePorts, ids: ResourceIds, desired: Members): Promise<void>;
  update(ports: ResourcePorts, ids: ResourceIds, change: ResourceChange): Promise<void>;
  /** Absent: such a resource is never removed. */
  readonly remove?: (ports: ResourcePorts, ids: ResourceIds) => Promise<void>;
  /** Returns why this one must stay; undefined if it can be removed. */
  readonly findReasonToKeep?: (ports: ResourcePorts, ids: ResourceIds) => Promise<string | undefined>;
  readAttributes(ids: ResourceIds, described: Members, account: string): ResourceAttributes;
}
