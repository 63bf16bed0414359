/** Groups below groups. */

interface Placed {
  readonly id: string;
  readonly parent: string;
}

/** From the parent of a group up to the root. */
export function ancestorsOf<Group extends Placed>(group: Group, groups: readonly Group[]): readonly Group[] {
  const found: Group[] = [];
  for (let at = group; at.parent !== at.id; ) {
    const parent = groups.find(({ id }) => id === at.parent);
    if (parent === undefined || found.includes(parent)) break;
    found.push(parent);
    at = parent;
  }
  return found;
}

/** All groups below one, at any depth. */
export function descendantsOf<Group extends Placed>(id: string, groups: readonly Group[]): readonly Group[] {
  const children = groups.filter((group) => group.parent === id && group.id !== id);
  return children.flatMap((child) => [child, ...descendantsOf(child.id, groups)]);
}
