/** What processors need of a report: the same in this thread and in another. */

import type { MadeReport, ReportProcessor } from './termini.ts';
import type { Report } from './wire.ts';

/** @param wanted - names of processors */
export function makeReport(
  processors: ReadonlyMap<string, Pick<ReportProcessor, 'make'>>,
  wanted: readonly string[],
  report: Report,
  body: string,
): MadeReport {
  return new Map(wanted.map((name) => [name, attempt(() => processors.get(name)?.make(report, body))]));
}

/** A failure of one processor is none of the others'. */
function attempt(make: () => unknown): { readonly value: unknown } | { readonly error: Error } {
  try {
    return { value: make() };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
