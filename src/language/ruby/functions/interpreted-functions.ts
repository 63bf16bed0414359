import type { ParseRuby } from '../templates/compiled-template.ts';
import { type InterpretedFunction, interpretedFunction } from './interpreted-function.ts';

/** Functions that are kept; files of one environment have a few hundred. */
const MAX_FUNCTIONS = 2000;

/** Compiles files of functions once, by name and text: versions and environments that have the same file share it. */
export class InterpretedFunctions {
  private readonly parse: ParseRuby;
  private compiled = new Map<string, InterpretedFunction>();
  private older = new Map<string, InterpretedFunction>();

  constructor(parse: ParseRuby) {
    this.parse = parse;
  }

  get(name: string, text: string): InterpretedFunction {
    const key = `${name}\0${text}`;
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const made = this.older.get(key) ?? interpretedFunction(text, name, this.parse);
    if (this.compiled.size >= MAX_FUNCTIONS) {
      this.older = this.compiled;
      this.compiled = new Map();
    }
    this.compiled.set(key, made);
    return made;
  }
}
