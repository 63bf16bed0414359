/** The queries that were run in this browser, the latest first. */

const most = 30;

/** With one more, which is not there twice. */
export function withQuery(history: readonly string[], pql: string): readonly string[] {
  return [pql, ...history.filter((each) => each !== pql)].slice(0, most);
}

/** @param text - as it was stored; invalid entries are dropped */
export function readHistory(text: string | null): readonly string[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}
