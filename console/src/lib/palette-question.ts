/** The text in the palette: a sign for the kind of result, then a part of its name. */

export type PaletteKind = 'all' | 'commands' | 'groups' | 'jobs' | 'users';

const signs: Readonly<Record<string, PaletteKind>> = {
  '>': 'commands',
  '#': 'groups',
  ':': 'jobs',
  '@': 'users',
};

/** @returns what is wanted in lower case */
export function paletteQuestion(text: string): { readonly kind: PaletteKind; readonly wanted: string } {
  const trimmed = text.trimStart();
  const kind = signs[trimmed.charAt(0)];
  const wanted = kind === undefined ? trimmed : trimmed.slice(1);
  return { kind: kind ?? 'all', wanted: wanted.trim().toLowerCase() };
}

/** Names that pages have in other consoles. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Certificates: ['Node requests', 'Unsigned certificates'],
  Classification: ['Node groups', 'Node management', 'Node classifier', 'Whitelist'],
  Nodes: ['Inventory'],
  Jobs: ['Run'],
  Servers: ['Compile masters', 'Compilers', 'Puppet masters', 'Infrastructure'],
  'Access control': ['RBAC', 'Whitelist'],
  Query: ['PQL'],
};

/** Pages with this in their name, or in one that they have elsewhere. */
export function pagesNamed<Place extends { readonly title: string }>(
  wanted: string,
  places: readonly Place[],
): readonly Place[] {
  return places.filter(({ title }) =>
    [title, ...(otherNames[title] ?? [])].some((name) => name.toLowerCase().includes(wanted)),
  );
}
