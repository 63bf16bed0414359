/** Circles of imports that exist when the program runs; imports of types alone do not count. */

import { dirname, join, normalize } from 'node:path';

/** @param texts - the text of each file, by its path. @returns the files of each circle, sorted */
export function runtimeCycles(texts: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const imports = new Map(
    Array.from(texts, ([file, text]) => [
      file,
      runtimeImports(file, text).filter((target) => texts.has(target)),
    ]),
  );
  return stronglyConnected(imports).filter((files) => files.length > 1);
}

/** The deepest folder that holds all the files. */
export function commonFolder(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => dirname(file).split('/'));
  const differing = Array.from(first).findIndex((part, index) =>
    others.some((other) => other[index] !== part),
  );
  return Array.from(first)
    .slice(0, differing < 0 ? undefined : differing)
    .join('/');
}

function runtimeImports(file: string, text: string): string[] {
  const found: string[] = [];
  for (const [, names = '', target = ''] of text.matchAll(
    /^(?:import|export)\b([^'";]*?)\bfrom\s+'(\.[^']+)'/gm,
  ))
    if (!isTypeOnly(names)) found.push(normalize(join(dirname(file), target)));
  return found;
}

function isTypeOnly(names: string): boolean {
  if (/^\s+type\b/.test(names)) return true;
  const list = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1];
  if (list === undefined) return false;
  return list.split(',').every((name) => /^\s*(type\s.*)?$/.test(name));
}

/** Tarjan's algorithm. */
function stronglyConnected(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    stack.push(file);
    open.add(file);
    let low = own;
    for (const target of edges.get(file) ?? [])
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.has(target)) low = Math.min(low, order.get(target) ?? own);
    if (low === own) found.push(close(file, stack, open));
    return low;
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return found;
}

function close(file: string, stack: string[], open: Set<string>): string[] {
  const files = stack.splice(stack.indexOf(file));
  for (const member of files) open.delete(member);
  return files.toSorted();
}
