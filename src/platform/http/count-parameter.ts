/**
 * A query parameter that is a number from 0: `limit`, `offset`.
 *
 * @param refuse - makes the error, in the words of the API
 * @returns `undefined` when it is absent
 */
export function countParameter(
  query: URLSearchParams,
  name: string,
  refuse: (value: string) => Error,
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw refuse(text);
  return Number(text);
}
