/** Who reads the resource types that modules define in Ruby. */

import type { ResourceTypeInfo } from '../catalog/index.ts';
import type { FileTree } from './file-tree.ts';

/** Where Ruby finds files in an environment. */
export interface RubyLibraries {
  readonly tree: FileTree;
  /** The `lib` directories in order of precedence. */
  readonly directories: readonly string[];
  /** What Ruby sees as `Puppet.version`. */
  readonly puppetVersion: string;
}

export interface ResourceTypeSource {
  /**
   * Reads `file`, which should define the type `name`.
   *
   * @returns `flagged` when only Ruby itself can tell; `none` when the file defines no such type
   */
  read(
    name: string,
    file: string,
    libraries: RubyLibraries,
  ):
    | { readonly kind: 'type'; readonly type: ResourceTypeInfo }
    | { readonly kind: 'flagged'; readonly reason: string }
    | { readonly kind: 'none' };
}
