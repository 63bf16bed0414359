/** What an agent answers to a catalog, as the value of an `ApplyResult`. */

import type { Json, JsonObject } from '../../../lib/json.ts';

/** What methods of `ApplyResult` read. */
const EXPECTED = ['metrics', 'resource_statuses', 'status'] as const;

/**
 * @param answer - the report, or something with `_error`
 * @returns `report`, `_error` and `_output`, those that it has
 */
export function applyResultValue(target: string, answer: JsonObject): JsonObject {
  const { _error: error, ...rest } = answer;
  if (error !== undefined && error !== null) return { _error: error };
  const { _output: _, ...withoutOutput } = rest;
  const invalid = invalidReport(rest);
  if (invalid !== undefined) return { report: withoutOutput, _error: invalid, ...metricsOf(withoutOutput) };
  const failure = failedResources(target, rest);
  return { report: rest, ...(failure === undefined ? {} : { _error: failure }), ...metricsOf(rest) };
}

function invalidReport(report: JsonObject): JsonObject | undefined {
  const missing = EXPECTED.filter((key) => report[key] === undefined);
  if (missing.length === 0) return undefined;
  const output = report['_output'];
  const msg =
    output === undefined
      ? `Report did not contain all expected keys missing: ${missing.join(', ')}`
      : `Report result contains an '_output' key. Catalog application might have printed extraneous output to stdout: ${String(output)}`;
  return { kind: 'bolt/invalid-report', msg };
}

function failedResources(target: string, report: JsonObject): JsonObject | undefined {
  if (report['status'] !== 'failed') return undefined;
  const lines = Object.entries(objectOf(report['resource_statuses'])).flatMap(([reference, status]) => {
    const { events, failed } = objectOf(status);
    if (failed !== true || !isList(events)) return [];
    return events
      .map(objectOf)
      .filter((event) => event['status'] === 'failure')
      .map((event) => `\n  ${reference}: ${String(event['message'])}`);
  });
  return {
    kind: 'bolt/resource-failure',
    msg: `Resources failed to apply for ${target}${lines.join('')}`,
  };
}

function metricsOf(report: JsonObject): JsonObject {
  const values = objectOf(objectOf(report['metrics'])['resources'])['values'];
  if (!isList(values)) return {};
  const counts = new Map(values.filter(isList).map((row) => [String(row[0]), Number(row[2] ?? 0)] as const));
  const count = (name: string): number => counts.get(name) ?? 0;
  const [changed, failed, skipped] = [count('changed'), count('failed'), count('skipped')];
  const unchanged = count('total') - changed - failed - skipped;
  const noop = count('out_of_sync') - changed - failed;
  return {
    _output: `changed: ${changed}, failed: ${failed}, unchanged: ${unchanged} skipped: ${skipped}, noop: ${noop}`,
  };
}

function objectOf(json: Json | undefined): JsonObject {
  return typeof json === 'object' && json !== null && !isList(json) ? json : {};
}

function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}
