/** Texts of addresses that are JSON. */

/** The object that a text is; an empty one where it is something else. */
export function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Readonly<Record<string, unknown>>)
      : {};
  } catch {
    return {}; // not JSON: somebody has changed the address
  }
}
