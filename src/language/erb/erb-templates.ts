import type { Value } from '../pcore/index.ts';
import {
  type CompiledTemplate,
  compileTemplate,
  type ParseRuby,
  type Rendering,
} from './compiled-template.ts';
import type { ErbContext } from './erb-context.ts';

const DEFAULT_MAX_CHARACTERS = 2 ** 24;

/**
 * Renders templates in ERB without Ruby, as far as what they do is modelled, and says so where it is not. Compiled
 * templates are kept by their text: environments that have the same template share it.
 */
export class ErbTemplates {
  private readonly parse: ParseRuby;
  private readonly maxCharacters: number;
  private compiled = new Map<string, CompiledTemplate>();
  private older = new Map<string, CompiledTemplate>();
  private characters = 0;
  private readonly held = new WeakSet<object>();

  /** @param maxCharacters - of the texts of those that are kept; about twice as many at most */
  constructor(parse: ParseRuby, maxCharacters = DEFAULT_MAX_CHARACTERS) {
    this.parse = parse;
    this.maxCharacters = maxCharacters;
  }

  /** What functions throw that is no error (`break`, `next`, `return`) passes through. */
  render(text: string, context: ErbContext): Rendering {
    const template = this.template(text);
    return template.kind === 'compiled' ? template.render(context) : { ...template, hadEffects: false };
  }

  /** Notes a value that code in Ruby has given to a variable: it may have changed there since. */
  noteHeld(value: Value): void {
    if (typeof value === 'object' && value !== null) this.held.add(value);
  }

  isHeld(value: Value | undefined): boolean {
    return typeof value === 'object' && value !== null && this.held.has(value);
  }

  private template(text: string): CompiledTemplate {
    const known = this.compiled.get(text);
    if (known !== undefined) return known;
    const template = this.older.get(text) ?? compileTemplate(text, this.parse);
    if (this.characters + text.length > this.maxCharacters) this.forgetOlder();
    this.compiled.set(text, template);
    this.characters += text.length;
    return template;
  }

  /** What has not been used since the last time goes. */
  private forgetOlder(): void {
    this.older = this.compiled;
    this.compiled = new Map();
    this.characters = 0;
  }
}
