import { ErbTemplates } from '../../src/language/ruby/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';

/** Renders templates as servers do: without Ruby as far as they are modelled. */
export function interpretedTemplates(): ErbTemplates {
  const parser = new RubyParser(prismFiles());
  return new ErbTemplates((source) => parser.parse(source));
}
