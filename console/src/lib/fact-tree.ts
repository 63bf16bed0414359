/** Facts as rows of a tree that can be searched. */

export interface FactNode {
  /** `os.release.full`, as rules and queries name it. */
  readonly path: string;
  /** The last segment of the path. */
  readonly name: string;
  readonly value: unknown;
  /** Parts of a structured value; empty for a value without parts. */
  readonly children: readonly FactNode[];
}

export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** @returns the facts in the order of their names */
export function factTree(facts: readonly NamedValue[]): readonly FactNode[] {
  return facts
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => nodeOf(name, name, value));
}

function nodeOf(path: string, name: string, value: unknown): FactNode {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (!Array.isArray(value)) parts.sort(([a], [b]) => (a < b ? -1 : 1));
  return { path, name, value, children: parts.map(([key, part]) => nodeOf(`${path}.${key}`, key, part)) };
}

/** The tree with only what has the text in its path or its value, in upper or lower case. */
export function searchedTree(nodes: readonly FactNode[], text: string): readonly FactNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return nodes;
  return nodes.flatMap((node) => {
    if (node.path.toLowerCase().includes(wanted)) return [node];
    if (node.children.length === 0) return String(node.value).toLowerCase().includes(wanted) ? [node] : [];
    const children = searchedTree(node.children, text);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}
