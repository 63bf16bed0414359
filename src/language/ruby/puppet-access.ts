import type { Value } from '../pcore/index.ts';
import type { TitleNames } from './functions/references.ts';

/** What code asks of the rest of Puppet: constants and methods of its modules. */
export interface PuppetAccess {
  readonly version: string;
  log(level: PuppetLogLevel, message: string): void;
  /** A warning that is given once for each key, unless warnings of deprecations are off. */
  deprecated(key: string, message: string): void;
  /** `strict`; others are not known here. */
  readonly strict: string;
  /** Of the process that runs Ruby; `undefined` where it has none of that name. @throws GiveUp when that is unknown */
  environmentVariable(name: string): string | undefined;
  /** Files and lines of the manifests that led here, innermost first. */
  callers(): readonly (readonly [file: string, line: number])[];
  isTypeKnown(name: string): boolean;
  isClassKnown(name: string): boolean;
  /** Of the catalog as it is now. @param type - as catalogs have it: `File`, `Apache::Vhost` */
  findResource(type: string, title: string): ResourceDescription | undefined;
  /** Attributes that the title of such a resource stands for. */
  readonly titleNames: TitleNames;
  /** The one whose code is running. */
  readonly resource: ResourceDescription | undefined;
}

export type PuppetLogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'err';

export interface ResourceDescription {
  readonly type: string;
  readonly title: string;
  readonly parameters: Iterable<readonly [string, Value]>;
}
