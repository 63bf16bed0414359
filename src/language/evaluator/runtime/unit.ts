/** One source text with what evaluating it needs: positions for messages, whose module it is in. */

import type { Module } from '../../environment/index.ts';
import { Locator, type Position, type SourceText } from '../../syntax/index.ts';

export class Unit {
  readonly source: SourceText;
  readonly module: Module | undefined;
  private locator: Locator | undefined;

  constructor(source: SourceText, module: Module | undefined) {
    this.source = source;
    this.module = module;
  }

  /** File, line and column of an offset. */
  positionOf(offset: number): Position {
    this.locator ??= new Locator(this.source);
    return this.locator.position(offset);
  }

  lineOf(offset: number): number {
    this.locator ??= new Locator(this.source);
    return this.locator.line(offset);
  }
}
