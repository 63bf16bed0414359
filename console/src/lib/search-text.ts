/** Parts of an address as text. */

export type RawSearch = Readonly<Record<string, unknown>>;

/** What stands there when it is a text that isn't empty. */
export function textIn(search: RawSearch, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The environment whose code a page uses: its own choice (`code`), or else the one of all pages (`environment`), which is also the name
 * that the choice had in older links.
 *
 * @returns `undefined` for production, where that is not a choice
 */
export function codeIn(search: RawSearch): string | undefined {
  const [code, environment] = [textIn(search, 'code'), textIn(search, 'environment')];
  const chosen = code ?? environment;
  const isUsual = environment === undefined || environment === 'production';
  return chosen === 'production' && isUsual ? undefined : chosen;
}

/** What stands there when it is one of these. */
export function oneIn<T extends string>(
  search: RawSearch,
  name: string,
  allowed: readonly T[],
): T | undefined {
  return allowed.find((each) => each === search[name]);
}

/** The text as an ISO time in UTC, if it is a time. */
export function timeIn(search: RawSearch, name: string): string | undefined {
  const time = Date.parse(textIn(search, name) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
