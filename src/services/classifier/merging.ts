/** How what a group says comes together with what was said before. */

type Mergeable = Readonly<Record<string, unknown>>;

/** Deep; what is `null` later takes away what was there, and lists are replaced. */
export function mergeAndClean(earlier: Mergeable, later: Mergeable): Mergeable {
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(later)])) {
    const value = Object.hasOwn(later, name) ? together(earlier[name], later[name]) : earlier[name];
    if (value !== null && value !== undefined) define(merged, name, value);
  }
  return merged;
}

function together(earlier: unknown, later: unknown): unknown {
  if (!isObject(later)) return later;
  return mergeAndClean(isObject(earlier) ? earlier : {}, later);
}

/** Names come from outside: `__proto__` is one like others. To define a property takes ten times as long as to assign it. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

export function isObject(value: unknown): value is Mergeable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
