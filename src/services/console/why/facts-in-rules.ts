/** The facts that rules of groups have compared, taken from an explanation of the classifier. */

import type { Explanation } from './why-source.ts';

/** Path of a fact -> its value, as far as a rule has looked at it. */
export function factsInRules(explanation: Explanation): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const condition of Object.values(explanation)) collect(condition, found);
  return found;
}

function collect(condition: unknown, found: Map<string, unknown>): void {
  const form = (condition as { readonly form?: unknown } | null)?.form;
  if (!Array.isArray(form)) return;
  const [operator, ...rest] = form as readonly unknown[];
  if (operator === 'and' || operator === 'or' || operator === 'not') {
    for (const each of rest) collect(each, found);
    return;
  }
  const [read] = rest as readonly { readonly path?: unknown; readonly value?: unknown }[];
  const path = pathText(read?.path);
  if (path !== undefined) found.set(path, read?.value ?? null);
}

/** `["fact", "os", "name"]` -> `os.name`; other paths are the node's name or what its certificate proves. */
function pathText(path: unknown): string | undefined {
  if (!Array.isArray(path)) return undefined;
  const [first, ...rest] = path as readonly unknown[];
  if (first === 'fact' && rest.length > 0) return rest.join('.');
  if (first === 'trusted' && rest.length > 0) return path.join('.');
  return undefined;
}
