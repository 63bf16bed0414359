/** The thread that reads manifests for the classes in them: the main thread has agents to serve. */

import { readFileSync } from 'node:fs';
import {
  type Expression,
  type HostClassDefinition,
  PuppetError,
  parseManifest,
  writtenText,
} from '../../../language/syntax/index.ts';
import type { Json } from '../../../lib/json.ts';
import { answerOnce } from '../../../platform/threads/index.ts';
import { classDetails } from './class-details.ts';
import type { FoundClass, FoundClasses } from './read-classes.ts';

answerOnce(classesIn);

function classesIn(files: readonly string[]): FoundClasses {
  const classes = new Map<string, FoundClass>();
  const unreadable: string[] = [];
  for (const file of files) {
    try {
      const { definitions, source } = parseManifest({ file, text: readFileSync(file, 'utf8') });
      for (const definition of definitions)
        if (definition.kind === 'HostClassDefinition')
          classes.set(definition.name, render(definition, source.text));
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error;
      unreadable.push(error.message);
    }
  }
  const sorted = [...classes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { classes: sorted, unreadable };
}

function render(definition: HostClassDefinition, text: string): FoundClass {
  const { name, parameters } = definition;
  const defaults = parameters.map(({ name: parameter, value }): [string, Json] => [
    parameter,
    // `null` is for parameters that have none: `undef` is shown as it is written.
    value === undefined ? null : (literal(value) ?? writtenText(value, text)),
  ]);
  return { name, parameters: Object.fromEntries(defaults), details: classDetails(definition, text) };
}

/** @returns `undefined` for what JSON has no words for, and for what is only known when it is evaluated */
function literal(value: Expression): Json | undefined {
  switch (value.kind) {
    case 'LiteralString':
    case 'LiteralBoolean':
    case 'LiteralFloat':
    case 'QualifiedName':
      return value.value;
    case 'LiteralInteger':
      return typeof value.value === 'number' ? value.value : undefined;
    case 'LiteralUndef':
      return null;
    case 'ConcatenatedString': {
      const [only, ...more] = value.segments;
      return only?.kind === 'LiteralString' && more.length === 0 ? only.value : undefined;
    }
    case 'LiteralList': {
      const items = value.values.map(literal);
      return items.includes(undefined) ? undefined : (items as Json[]);
    }
    case 'LiteralHash': {
      const entries = value.entries.map((entry) => [literal(entry.key), literal(entry.value)] as const);
      const isJson = entries.every(([key, item]) => typeof key === 'string' && item !== undefined);
      return isJson ? (Object.fromEntries(entries) as Json) : undefined;
    }
    default:
      return undefined;
  }
}
