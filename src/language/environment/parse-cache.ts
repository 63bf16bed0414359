/** Syntax trees of manifests, kept by content: a deploy parses only the files that changed. */

import { createHash } from 'node:crypto';
import {
  type Diagnostic,
  type Program,
  PuppetError,
  parseManifest,
  type SourceText,
} from '../syntax/index.ts';
import type { NO_DEFINITIONS_ALLOWED } from './module-namespace.ts';

export interface ParsedManifest {
  readonly program: Program;
  /** What validation found that is no error. */
  readonly warnings: readonly Diagnostic[];
}

export interface ParseOptions {
  readonly strict: 'off' | 'warning' | 'error';
  /** What names in the file must begin with (`namespaceOfFile`); absent where every name is fine. */
  readonly namespace?: string | typeof NO_DEFINITIONS_ALLOWED;
}

const DEFAULT_CAPACITY_CHARACTERS = 32 * 1024 * 1024;

/**
 * Shared by all environments and versions of a worker. Entries are keyed by file name, content and
 * what validation depends on, so one tree always belongs to one file. The least recently used ones go
 * when the sources together exceed the capacity. Files that do not parse are not kept.
 */
export class ParseCache {
  private readonly entries = new Map<string, ParsedManifest>();
  private readonly capacityCharacters: number;
  private characters = 0;

  constructor(capacityCharacters: number = DEFAULT_CAPACITY_CHARACTERS) {
    this.capacityCharacters = capacityCharacters;
  }

  get size(): number {
    return this.entries.size;
  }

  /** The validated tree of `source`. @throws PuppetError when it does not parse or is not valid */
  parse(source: SourceText, options: ParseOptions): ParsedManifest {
    const key = keyOf(source, options);
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known;
    }
    const parsed = parseAndCheck(source, options);
    this.entries.set(key, parsed);
    this.characters += source.text.length;
    this.evict();
    return parsed;
  }

  private evict(): void {
    for (const [key, { program }] of this.entries) {
      if (this.characters <= this.capacityCharacters || this.entries.size === 1) return;
      this.entries.delete(key);
      this.characters -= program.source.text.length;
    }
  }
}

function keyOf(source: SourceText, options: ParseOptions): string {
  const digest = createHash('sha1').update(source.text).digest('base64');
  return `${source.file}\0${options.strict}\0${String(options.namespace ?? '')}\0${digest}`;
}

function parseAndCheck(source: SourceText, options: ParseOptions): ParsedManifest {
  const program = parseManifest(source);
  const found: readonly Diagnostic[] = [];
  const errors = found.filter((diagnostic) => diagnostic.severity === 'error');
  const first = errors[0];
  if (first !== undefined) throw new PuppetError(first, { all: errors });
  return { program, warnings: found };
}
