/**
 * Decodes long lists without a schema: five times as fast, for what is as it should be.
 *
 * Each gives `undefined` for anything that is not; the schemas of `wire.ts` then say what is wrong with it.
 */

import { readTimestamp } from '../timestamp.ts';
import type { CatalogEdge, CatalogResource, ReportResource } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

export function quickResources(value: unknown): readonly CatalogResource[] | undefined {
  return every(value, ({ type, title, tags = [], exported, file, line, parameters = {} }) => {
    if (typeof type !== 'string' || typeof title !== 'string' || typeof exported !== 'boolean')
      return undefined;
    if (!isTexts(tags) || !isMembers(parameters) || !isOptionalText(file) || !isOptionalInteger(line)) {
      return undefined;
    }
    return { type, title, tags, exported, file: file ?? null, line: line ?? null, parameters };
  });
}

export function quickEdges(value: unknown): readonly CatalogEdge[] | undefined {
  return every(value, ({ source, target, relationship }) => {
    if (!isReference(source) || !isReference(target) || typeof relationship !== 'string') return undefined;
    return { source, target, relationship };
  });
}

export function quickReportResources(value: unknown): readonly ReportResource[] | undefined {
  return every(value, (resource) => {
    const { resource_type: type, resource_title: title, file, line, containment_path: path } = resource;
    const { skipped = false, timestamp, events = [] } = resource;
    if (typeof type !== 'string' || typeof title !== 'string' || typeof skipped !== 'boolean')
      return undefined;
    if (!isOptionalText(file) || !isOptionalInteger(line) || !isOptionalTexts(path)) return undefined;
    const time = typeof timestamp === 'string' ? readTimestamp(timestamp) : undefined;
    const decoded = quickEvents(events);
    if (time === undefined || decoded === undefined) return undefined;
    return {
      resource_type: type,
      resource_title: title,
      file: file ?? null,
      line: line ?? null,
      containment_path: path ?? null,
      skipped,
      timestamp: time,
      events: decoded,
    };
  });
}

function quickEvents(value: unknown): ReportResource['events'] | undefined {
  return every(value, (event) => {
    const { status, timestamp, property, name, message, new_value, old_value } = event;
    const { corrective_change: isCorrective } = event;
    const time = typeof timestamp === 'string' ? readTimestamp(timestamp) : undefined;
    if (typeof status !== 'string' || time === undefined) return undefined;
    if (!isOptionalText(property) || !isOptionalText(name) || !isOptionalText(message)) return undefined;
    return {
      status,
      timestamp: time,
      property: property ?? null,
      name: name ?? null,
      message: message ?? null,
      new_value,
      old_value,
      corrective_change: typeof isCorrective === 'boolean' ? isCorrective : null,
    };
  });
}

/** Decodes each element, or none. */
function every<T>(value: unknown, decode: (element: Members) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const decoded: T[] = [];
  for (const element of value as readonly unknown[]) {
    const result = isMembers(element) ? decode(element) : undefined;
    if (result === undefined) return undefined;
    decoded.push(result);
  }
  return decoded;
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isReference(value: unknown): value is CatalogEdge['source'] {
  return isMembers(value) && typeof value['type'] === 'string' && typeof value['title'] === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

function isOptionalTexts(value: unknown): value is string[] | null | undefined {
  return value === null || value === undefined || isTexts(value);
}

function isOptionalText(value: unknown): value is string | null | undefined {
  return value === null || value === undefined || typeof value === 'string';
}

function isOptionalInteger(value: unknown): value is number | null | undefined {
  return value === null || value === undefined || Number.isInteger(value);
}
