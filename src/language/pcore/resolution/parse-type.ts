import { parseManifest } from '../../syntax/index.ts';
import type { PuppetType } from '../puppet-type.ts';
import { NO_ALIASES, resolveTypeExpression, type TypeResolver, typeContext } from './interpret.ts';

const CACHE_LIMIT = 1000;

/** Types by their text, for one resolver: a text is parsed once. */
export class TypeParser {
  private readonly resolver: TypeResolver;
  private readonly known = new Map<string, PuppetType>();

  constructor(resolver: TypeResolver = NO_ALIASES) {
    this.resolver = resolver;
  }

  /** @throws PuppetError when the text is no type expression */
  parse(text: string): PuppetType {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const { body } = parseManifest({ file: '', text });
    const type = resolveTypeExpression(body, typeContext(text, this.resolver));
    if (this.known.size >= CACHE_LIMIT) this.known.clear();
    this.known.set(text, type);
    return type;
  }
}

/** One parser for each resolver; it goes when the resolver goes. */
const PARSERS = new WeakMap<TypeResolver, TypeParser>();

/**
 * The type that a text stands for: `'Variant[String, My::Alias]'`. Cached for each resolver.
 *
 * @throws PuppetError when the text is no type expression
 */
export function parseType(text: string, resolver: TypeResolver = NO_ALIASES): PuppetType {
  let parser = PARSERS.get(resolver);
  if (parser === undefined) {
    parser = new TypeParser(resolver);
    PARSERS.set(resolver, parser);
  }
  return parser.parse(text);
}
