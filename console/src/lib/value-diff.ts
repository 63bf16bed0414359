/** The differences between two sets of facts or packages. */

export interface ValueDifference {
  /** `os.release.full`, or the name of a package. */
  readonly name: string;
  /** Absent when only the right has it. */
  readonly left?: unknown;
  readonly right?: unknown;
}

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** The scalars within values by their paths; empty hashes and lists are values, too. */
export function leavesOf(values: readonly NamedValue[]): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (path: string, value: unknown) => {
    const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (parts.length === 0) leaves.set(path, value);
    for (const [key, part] of parts) walk(`${path}.${key}`, part);
  };
  for (const { name, value } of values) walk(name, value);
  return leaves;
}

/** @returns in the order of their names */
export function valueDifferences(
  left: ReadonlyMap<string, unknown>,
  right: ReadonlyMap<string, unknown>,
): readonly ValueDifference[] {
  const names = Array.from(new Set([...left.keys(), ...right.keys()])).toSorted();
  return names.flatMap((name) => {
    const [before, after] = [left.get(name), right.get(name)];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [
      {
        name,
        ...(left.has(name) ? { left: before } : {}),
        ...(right.has(name) ? { right: after } : {}),
      },
    ];
  });
}
