/** What can be compared of two anonymised documents: all but what is random in them. */

/** All texts of the documents before anything was replaced, names of members included. */
export function knownTexts(documents: readonly unknown[]): ReadonlySet<string> {
  const known = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') known.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      if (!Array.isArray(value)) known.add(name);
      collect(each);
    }
  };
  for (const document of documents) collect(document);
  return known;
}

/** Texts that were there before stay, others become what kind of text they are; members are in an order of their own. */
export function shapeOf(value: unknown, known: ReadonlySet<string>): string {
  if (typeof value === 'string') return shapeOfText(value, known);
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'object' || value === null) return 'null';
  if (Array.isArray(value)) {
    // The reference answers with sets in no order.
    return `[${value
      .map((each) => shapeOf(each, known))
      .sort()
      .join()}]`;
  }
  const members = Object.entries(value).map(
    ([name, each]) => `${shapeOf(name, known)}:${shapeOf(each, known)}`,
  );
  return `{${members.sort().join()}}`;
}

function shapeOfText(text: string, known: ReadonlySet<string>): string {
  // The number of letters of a moment is not always the same.
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return 'time';
  if (known.has(text)) return JSON.stringify(text);
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return 'uuid';
  const [, type, title] = /^(.+)\[(.+)\]$/.exec(text) ?? [];
  if (type !== undefined && title !== undefined)
    return `${shapeOfText(type, known)}[${shapeOfText(title, known)}]`;
  return text
    .replaceAll(/[A-Za-z]+/g, (letters) => `<${letters.length}>`)
    .replaceAll(/\?+/g, (marks) => `<? ${marks.length}>`);
}
