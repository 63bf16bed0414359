/** Is told of each request that was answered. @param path - of the API, without the parameters */
export type Observe = (path: string, status: number, durationMs: number) => void;

/** Tells how long it takes until an answer begins. */
export async function observed<T extends { readonly status: number }>(
  observe: Observe,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const answer = await work();
  observe(path, answer.status, performance.now() - began);
  return answer;
}
