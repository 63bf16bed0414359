import type { Value } from '../../pcore/index.ts';
import type { Effects } from '../effects.ts';
import type { ErbContext } from '../erb-context.ts';
import {
  type CompiledTemplate,
  compileTemplate,
  type ParseRuby,
  type Rendering,
} from './compiled-template.ts';

const DEFAULT_MAX_CHARACTERS = 2 ** 24;

export interface ErbTemplatesOptions {
  /** Of the texts of those that are kept; about twice as many at most. */
  readonly maxCharacters?: number;
  /** Is around each rendering, to measure it. */
  readonly around?: (render: () => Rendering) => Rendering;
}

/**
 * Renders templates in ERB without Ruby, as far as what they do is modelled, and says so where it is not. Compiled
 * templates are kept by their text: environments that have the same template share it.
 */
export class ErbTemplates {
  private readonly parse: ParseRuby;
  private readonly maxCharacters: number;
  private readonly around: ErbTemplatesOptions['around'];
  private compiled = new Map<string, CompiledTemplate>();
  private older = new Map<string, CompiledTemplate>();
  private characters = 0;
  private readonly held = new WeakMap<object, Value | undefined>();
  private outerEffects: Effects | undefined;

  constructor(
    parse: ParseRuby,
    { around, maxCharacters = DEFAULT_MAX_CHARACTERS }: ErbTemplatesOptions = {},
  ) {
    this.parse = parse;
    this.maxCharacters = maxCharacters;
    this.around = around;
  }

  /** What functions throw that is no error (`break`, `next`, `return`) passes through. */
  render(text: string, context: ErbContext): Rendering {
    return this.around === undefined
      ? this.rendered(text, context)
      : this.around(() => this.rendered(text, context));
  }

  private rendered(text: string, context: ErbContext): Rendering {
    const template = this.template(text);
    if (template.kind !== 'compiled') return { ...template, hadEffects: false };
    const effects = this.outerEffects;
    this.outerEffects = undefined;
    try {
      return template.render(context, effects);
    } finally {
      this.outerEffects = effects;
    }
  }

  /** Runs something that renders templates as parts of another one, under its effects. */
  within<T>(effects: Effects, run: () => T): T {
    const outer = this.outerEffects;
    this.outerEffects = effects;
    try {
      return run();
    } finally {
      this.outerEffects = outer;
    }
  }

  /** Whether what is rendered now is a part of a template that can still be given up. */
  get isWithin(): boolean {
    return this.outerEffects !== undefined;
  }

  /**
   * Notes a value that code has given to a variable: it may have changed there since.
   *
   * @param original - what it is to interpreted code, which has set it; absent where Ruby has
   */
  noteHeld(value: Value, original?: Value): void {
    if (typeof value === 'object' && value !== null) this.held.set(value, original);
  }

  isHeld(value: Value | undefined): boolean {
    return typeof value === 'object' && value !== null && this.held.has(value);
  }

  /** What interpreted code knows under a value that it has given to a variable. */
  originalOf(value: Value): Value | undefined {
    return typeof value === 'object' && value !== null ? this.held.get(value) : undefined;
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
