/** Reads stacks from CloudFormation templates, SAM templates and pool files: parameters, intrinsic functions, exports. */
import type { ResourceAttributes, ResourceType } from '../resources/resource-type.ts';
import type { MapNode, Place, SourceNode } from '../sources/source-node.ts';
import type { TemplateScope } from './intrinsics.ts';

/** A resource that a file declares. */
export interface Declaration {
  /** Its name in the file, unique within the stack. */
  readonly logicalId: string;
  readonly type: ResourceType;
  readonly place: Place;
  /** Its members, with functions that are not computed yet. */
  readonly node: MapNode;
  /** Whether its members have the names of CloudFormation or of the API. */
  readonly names: 'template' | 'api';
  /** Logical ids of declared resources that must exist first. */
  readonly dependencies: readonly string[];
  /** True: the resource stays if the file no longer contains it. */
  readonly isRetained: boolean;
  /** Ids that the file chooses, in development. */
  readonly pins: { readonly id?: SourceNode; readonly secret?: SourceNode };
}

/** A resource of the file for which nothing is created. */
export interface SkippedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly place: Place;
  /** `foreign`: it belongs to another service of AWS. */
  readonly reason: 'foreign' | 'unsupported';
  readonly promisesSecurity: boolean;
}

/** A value that a template outputs to its reader and to other stacks. */
export interface StackOutput {
  readonly name: string;
  readonly node: SourceNode;
  readonly exportName: SourceNode | undefined;
}

/** Returns what is known of a resource; undefined if it does not exist yet. */
export type FindResource = (logicalId: string) => ResourceAttributes | undefined;

/** Returns the value that another stack exports. */
export type FindExport = (name: string) => SourceNode | undefined;

/** The declarations of one file. */
export interface Stack {
  readonly name: string;
  readonly file: string;
  readonly declarations: readonly Declaration[];
  readonly skipped: readonly SkippedResource[];
  readonly outputs: readonly StackOutput[];
  /** Names of the exports of other stacks that it uses. */
  readonly imports: readonly string[];
  /** Whether the file may choose ids and secrets. */
  readonly allowsPins: boolean;
  /** Lambda functions by logical id, and the ARN of each here. */
  readonly functions: ReadonlyMap<string, string>;
  createScope(findResource: FindResource, findExport: FindExport): TemplateScope;
}

/** The context for reading a file. */
export interface StackContext {
  readonly region: string;
  readonly accountId: string;
  /** Values of parameters, by name. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether files may choose ids and secrets, as in development. */
  readonly allowsPins: boolean;
}
