/** Resource types that are not defined in the Puppet language: built in, or in Ruby files of modules. */

import { failure, type ResourceTypeInfo } from '../../catalog/index.ts';
import type { AttachmentKey, Environment } from '../../environment/index.ts';
import type { RubyHost } from '../ruby-host.ts';

type Known =
  | { readonly kind: 'type'; readonly info: ResourceTypeInfo }
  | { readonly kind: 'ruby'; readonly file: string }
  | { readonly kind: 'none' };

const NONE: Known = { kind: 'none' };

/** Finding a Ruby file asks every module: each name is looked for once. */
export class NativeTypes {
  private readonly environment: Environment;
  private readonly known = new Map<string, Known>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** @throws PuppetError when the type is in Ruby and nobody runs that */
  find(name: string, ruby: RubyHost | undefined): ResourceTypeInfo | undefined {
    const key = name.replace(/^::/, '').toLowerCase();
    const known = this.lookUp(key);
    if (known.kind === 'none') return undefined;
    if (known.kind === 'type') return known.info;
    const info = ruby?.findResourceType(key, known.file);
    if (info === undefined) {
      const problem = this.environment.resourceTypeProblem(key);
      throw failure(
        `The resource type '${key}' is defined in Ruby (${known.file}), ` +
          (problem === undefined
            ? 'and Ruby is not available'
            : `and can't be read without Ruby: ${problem}`),
      );
    }
    this.known.set(key, { kind: 'type', info });
    return info;
  }

  private lookUp(key: string): Known {
    let known = this.known.get(key);
    if (known === undefined) {
      known = this.search(key);
      this.known.set(key, known);
    }
    return known;
  }

  private search(key: string): Known {
    const info = this.environment.findResourceType(key);
    if (info !== undefined) return { kind: 'type', info };
    const file = this.environment.rubyTypeFile(key);
    return file === undefined ? NONE : { kind: 'ruby', file };
  }
}

/** Lives as long as the version of the environment. */
export const nativeTypesOf: AttachmentKey<NativeTypes> = {
  create: (environment) => new NativeTypes(environment),
};
