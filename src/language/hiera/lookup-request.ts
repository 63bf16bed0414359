/** What a lookup is asked for, and what it needs of the one who asks. */

import type { DisableableWarning } from '../environment/index.ts';
import type { PuppetHash, PuppetType, Value } from '../pcore/index.ts';
import type { Explainer } from './explainer.ts';

/** A block that gives a value when nothing is found. */
export interface LookupBlock {
  call(args: readonly Value[]): Value;
}

/** The arguments of `lookup()`, whatever the form in which they were given. */
export interface LookupRequest {
  readonly names: readonly string[];
  /** The names as given, for the block: a string or an array. The single name, or all, when absent. */
  readonly given?: Value;
  readonly valueType?: PuppetType;
  /** A strategy's name, or a hash with `strategy` and its options. */
  readonly merge?: Value;
  /** Absent: a key that is not found is an error. `null` is a default, too. */
  readonly defaultValue?: Value;
  readonly override?: PuppetHash;
  readonly defaultValuesHash?: PuppetHash;
  readonly block?: LookupBlock;
  /** True for `hiera()` and its kin. They see the global layer only where the environment has no `hiera.yaml`. */
  readonly isHieraFunction?: boolean;
}

export type LookupLogLevel = 'debug' | 'warning';

/** Decrypts what hiera-eyaml encrypted; supplied by the host, as it needs keys and a cipher. */
export interface EyamlDecryptor {
  /**
   * What one `ENC[...]` block holds.
   *
   * @param block - `ENC[PKCS7,...]`, without line breaks or blanks
   * @param options - of the hierarchy entry: `pkcs7_private_key`, ...
   * @throws Error that says why it cannot be decrypted
   */
  decrypt(block: string, options: PuppetHash): Uint8Array;
}

/** The variables that a lookup sees. Names are without `$`; a leading `::` means top scope. */
export interface LookupScope {
  /** `undefined` when there is no such variable. Never reports. */
  findVariable(name: string): Value | undefined;
  /** Why there is no such variable, for messages: empty where nothing more is known than that. */
  whyMissing?(name: string): string;
}

/** What a lookup needs of a compile. */
export interface LookupInvocation extends LookupScope {
  /** Calls `new`, for `convert_to`. */
  callFunction(name: string, args: readonly Value[]): Value;
  /**
   * Calls a function that is a backend, as code of that module does.
   *
   * @returns `NO_SUCH_KEY` or what the function has for the key
   * @throws KeyNotFound
   */
  callBackend(name: string, args: readonly Value[], moduleName: string | undefined): Value;
  isFunctionKnown(name: string): boolean;
  /** What a function's signatures are declared to return, up to the first one that says nothing of it. */
  returnTypesOf(name: string, moduleName?: string): readonly PuppetType[];
  /** Resolves type text, aliases of the environment included: for `convert_to`. */
  resolveType(text: string): PuppetType;
  log(level: LookupLogLevel, message: string): void;
  /** A warning given once for each `key` and compile. */
  warnOnce(key: string, message: string, type?: DisableableWarning): void;
  /** What the function `classifier_data` gives, by qualified name; absent where the classifier has none for this node. */
  readonly classifierData?: PuppetHash;
  /** Without it encrypted values are an error. */
  readonly eyaml?: EyamlDecryptor;
  /** Told about every step of every lookup; absent in normal operation, as it costs time. */
  readonly explainer?: Explainer;
}
