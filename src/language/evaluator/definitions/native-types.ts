/** Resource types that are not defined in the Puppet language: built in, or in Ruby files of modules. */

import { failure, type ResourceTypeInfo } from '../../catalog/index.ts';
import type { AttachmentKey, Environment } from '../../environment/index.ts';
import type { RubyHost } from '../ruby-host.ts';

/** Reads a type by running its file. */
export type ReadInRuby = (name: string, file: string) => ReturnType<RubyHost['findResourceType']>;

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

  /** @throws PuppetError when the type is in Ruby, which is not available */
  find(name: string, read: ReadInRuby): ResourceTypeInfo | undefined {
    const key = name.replace(/^::/, '').toLowerCase();
    const known = this.lookUp(key);
    if (known.kind === 'none') return undefined;
    if (known.kind === 'type') return known.info;
    const answer = read(key, known.file);
    if (answer === undefined) throw this.unreadable(key, known.file);
    this.known.set(key, answer);
    return answer.kind === 'type' ? answer.info : undefined;
  }

  private unreadable(name: string, file: string): Error {
    const problem = this.environment.resourceTypeProblem(name);
    const reason =
      problem === undefined ? 'and Ruby is not available' : `and can't be read without Ruby: ${problem}`;
    return failure(`The resource type '${name}' is defined in Ruby (${file}), ${reason}`);
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
