/** The calling scope, as functions and lookups see it. */

import type { ScopeView } from '../../functions/index.ts';
import type { Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { Frame } from '../runtime/frame.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';

export class FrameView implements ScopeView {
  private readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  find(name: string): Value | undefined {
    const isOwn = !name.includes('::') && !isMatchGroup(name);
    return isOwn ? this.frame.read(name) : findVariable(this.frame, name);
  }

  has(name: string): boolean {
    if (findVariable(this.frame, name) !== undefined) return true;
    return this.isPending(name) || name === 'module_name' || name === 'caller_module_name';
  }

  /** Parameters count as set while their defaults are evaluated. */
  private isPending(name: string): boolean {
    for (const { pending } of framesFrom(this.frame)) if (pending?.names.includes(name) === true) return true;
    return false;
  }

  *visibleNames(): Iterable<string> {
    const seen = new Set<string>();
    for (const frame of framesFrom(this.frame)) {
      for (const name of frame.localNames()) {
        if (seen.has(name)) continue;
        seen.add(name);
        yield name;
      }
    }
  }

  get resource(): string | undefined {
    const { scope } = this.frame;
    return scope.kind === 'top' ? undefined : scope.resource?.reference;
  }

  get moduleName(): string | undefined {
    const name = this.frame.find('module_name');
    return typeof name === 'string' && name !== '' ? name : undefined;
  }

  *tags(): Iterable<string> {
    const { scope } = this.frame;
    yield* scope.compiler.catalog.tags;
    for (let resource = scope.resource; resource !== undefined; resource = declarerOf(resource))
      yield* resource.tags;
  }
}

function declarerOf(resource: CompiledResource): CompiledResource | undefined {
  const declarer = resource.scope.resource;
  return declarer === resource ? undefined : declarer;
}

/** Why a variable of that name is not there: empty where nothing more is known than that. */
export function whyMissing(compiler: Compiler, written: string): string {
  const name = written.replace(/^::/, '');
  const separator = name.lastIndexOf('::');
  if (separator === -1) return '';
  const className = name.slice(0, separator);
  if (compiler.code.findClass(className) === undefined) return `class ${className} could not be found`;
  if (compiler.classScopes.has(className.toLowerCase())) return '';
  return `class ${className} has not been evaluated`;
}

/** All frames whose variables are in sight, nearest first: those of `findVariable`. */
export function* framesFrom(frame: Frame): Iterable<Frame> {
  for (let current: Frame | undefined = frame; current !== undefined; current = current.outer) yield current;
  const { enclosing } = frame.scope;
  if (enclosing !== undefined) yield* framesFrom(enclosing.current);
}

/** All frames whose variables code can come to from this one, by whatever name. */
export function framesInReach(compiler: Compiler, frame: Frame): ReadonlySet<Frame> {
  const frames = new Set<Frame>();
  const add = (first: Frame | undefined): void => {
    for (let current = first; current !== undefined; current = current.outer) frames.add(current);
  };
  add(frame);
  const scopes: (Scope | undefined)[] = [frame.scope, compiler.nodeScope, compiler.topScope];
  for (const scope of [...scopes, ...compiler.classScopes.values()]) {
    for (let current = scope; current !== undefined; current = current.enclosing) add(current.current);
  }
  return frames;
}

/** A variable by any name: `x`, `::x`, `a::x`. */
export function findVariable(frame: Frame, name: string): Value | undefined {
  const { compiler } = frame.scope;
  if (isMatchGroup(name)) return (frame.match ?? frame.scope.outsideMatch)?.[Number(name)];
  if (!name.includes('::')) return frame.find(name);
  const bare = name.startsWith('::') ? name.slice(2) : name;
  const separator = bare.lastIndexOf('::');
  if (separator === -1) return compiler.topScope.frame.getLocal(bare);
  return compiler.findClassVariable(bare.slice(0, separator), bare.slice(separator + 2));
}

function isMatchGroup(name: string): boolean {
  return isDigit(name.charCodeAt(0)) && /^\d+$/.test(name);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
