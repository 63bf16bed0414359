/** Data types that modules define in Ruby, `lib/puppet/datatypes/MODULE/NAME.rb`: the part that is in the Puppet language. */

import { PuppetError } from '../syntax/index.ts';
import type { LoadablePlace } from './loadable-places.ts';
import { joinPath } from './logical-path.ts';

const creation = /\bPuppet::DataTypes\.create_type[\s(]+(['"])([\w:]+)\1/;
const isDeclared = /^\s*interface\b/m;
const heredoc = /^\s*interface[\s(]+<<[-~]?(['"]?)(\w+)\1\)?[ \t]*\n([\s\S]*?)^[ \t]*\2[ \t]*$/m;
const quoted = /^\s*interface[\s(]+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/m;

export function dataTypePath({ directory, module }: LoadablePlace, name: string): string | undefined {
  const segments = name.split('::');
  if (module !== undefined && segments.length > 1 && segments[0] !== module.name) return undefined;
  return `${joinPath(directory, 'lib/puppet/datatypes', ...segments)}.rb`;
}

/**
 * A type alias for the interface that such a file declares. Methods are Ruby's.
 *
 * @param name - lower case, as the file's name wants it
 * @throws PuppetError when the file declares another type or no interface
 */
export function dataTypeAlias(ruby: string, name: string, file: string): string {
  const created = creation.exec(ruby)?.[2];
  if (created === undefined)
    throw loadError(
      `The code loaded from ${file} does not seem to be a TypeSet/DataType - no create_type call.`,
    );
  const text = interfaceOf(ruby);
  if (text === undefined) throw loadError(problemOf(ruby, created, file));
  if (created.toLowerCase() !== name)
    throw loadError(
      `The code loaded from ${file} produced mis-matched name, expected '${name}', got ${created}`,
    );
  return `type ${created} = Object[{\n${text}\n}]\n`;
}

function interfaceOf(ruby: string): string | undefined {
  const [, quote, , body] = heredoc.exec(ruby) ?? [];
  if (body !== undefined) return quote !== "'" && body.includes('#{') ? undefined : body;
  const [, single, double] = quoted.exec(ruby) ?? [];
  if (double?.includes('#{') === true) return undefined;
  return (single ?? double)?.replaceAll(/\\(['"\\])/g, '$1');
}

function problemOf(ruby: string, created: string, file: string): string {
  if (!isDeclared.test(ruby))
    return `Data Type Load Error for type '${created}': a data type must have an interface`;
  return `Data Type Load Error for type '${created}': its interface can't be read (${file}): write it as one text without #{}`;
}

function loadError(message: string): PuppetError {
  return new PuppetError({ code: 'loader_failure', severity: 'error', message });
}
