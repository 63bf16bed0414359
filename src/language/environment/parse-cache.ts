/** Syntax trees of manifests, kept by content: a deploy parses only the files that changed. */

import { createHash } from 'node:crypto';
import type { LanguageLevel } from '../levels/index.ts';
import {
  type Diagnostic,
  type FileNamespace,
  type Program,
  parseAndValidate,
  parseAndValidatePlan,
  type SourceText,
} from '../syntax/index.ts';

interface ParsedManifest {
  readonly program: Program;
  /** What was logged when it was parsed. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParseOptions {
  readonly strict: 'off' | 'warning' | 'error';
  /** Trees are kept for each level: what validation finds depends on it. */
  readonly level: LanguageLevel;
  /** What names in the file must begin with; absent where every name is fine. */
  readonly namespace?: FileNamespace;
  /** Reads it as a plan; false when absent. */
  readonly isPlan?: boolean;
  /** Takes warnings, and errors where there are several: each time, whether the tree was kept or not. */
  readonly log: (diagnostic: Diagnostic) => void;
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
  parse(source: SourceText, options: ParseOptions): Program {
    const key = keyOf(source, options);
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      for (const diagnostic of known.diagnostics) options.log(diagnostic);
      return known.program;
    }
    return this.add(key, source, options);
  }

  private add(key: string, source: SourceText, options: ParseOptions): Program {
    const diagnostics: Diagnostic[] = [];
    const log = (diagnostic: Diagnostic): void => {
      diagnostics.push(diagnostic);
      options.log(diagnostic);
    };
    const parse = options.isPlan === true ? parseAndValidatePlan : parseAndValidate;
    const program = parse(source, { ...options, log });
    this.entries.set(key, { program, diagnostics });
    this.characters += source.text.length;
    this.evict();
    return program;
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
  return `${source.file}\0${options.strict}\0${options.level.number}\0${String(options.namespace ?? '')}\0${options.isPlan === true ? 'plan' : ''}\0${digest}`;
}
