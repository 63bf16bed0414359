/** What differs between language levels; the expected values are what Puppet 7.23, OpenVox 8.28 and OpenVox 9 gave. */

import { describe, expect, it } from 'vitest';
import { compileSnippet, references, type SnippetOptions } from '../../../test/support/compile-snippet.ts';
import { type LevelNumber, languageLevel } from '../levels/index.ts';

/** With the level's own defaults. */
function compileAt(number: LevelNumber, code: string, modules: SnippetOptions['modules'] = {}) {
  const level = languageLevel(number);
  const { strict, strictVariables } = level;
  return compileSnippet(code, { modules, settings: { level, strict, strictVariables } });
}

function valueAt(number: LevelNumber, code: string): string {
  try {
    return String(compileAt(number, code).value);
  } catch (error) {
    return String(error);
  }
}

describe('levels 7, 8 and 9', () => {
  it.each([
    ['$nowhere', ['null', "Unknown variable: 'nowhere'", "Unknown variable: 'nowhere'"]],
    ["1 + '2'", ['3', 'was automatically coerced', 'was automatically coerced']],
    ["split(Sensitive('a,b'), ',').unwrap", ["'split' parameter 'str' expects", 'a,b', 'a,b']],
    ["regsubst('a', 'a', 'b', '', 'U')", ['b', 'b', 'expects between 3 and 4 arguments, got 5']],
    ["max(SemVer('1.2.0'), SemVer('1.10.0'))", ['1.2.0', '1.10.0', '1.10.0']],
    ['({} + [[1]])[1]', ['null', 'wrong array length at 0 (expected 2, was 1)', 'wrong array length']],
    ['{-1 => 2, -1 => 3}[-1]', ['3', "The key '-1' is declared more than once", 'more than once']],
  ])('differ in %s', (code, expected) => {
    for (const [index, number] of ([7, 8, 9] as const).entries())
      expect(valueAt(number, code)).toContain(expected[index]);
  });

  it('names nodes by their whole expression from 8 on', () => {
    const code = 'node /(?!b)a/ { notify { "x": } }';

    expect(references(compileAt(7, code).catalog)).toContain('Node[__node_regexp__ba]');
    expect(references(compileAt(8, code).catalog)).toContain('Node[__node_regexp__lpquexbrpa]');
  });

  it('warns of computed types of class parameters from 8 on', () => {
    const code = '$a = 1\nclass c(Integer[1, 1 + 1] $p = 1) { }\ninclude c';

    expect(compileAt(7, code).logs).toEqual([]);
    expect(compileAt(8, code).logs).toEqual([
      "warning: The parameter '$p' must be a literal type, not a Puppet::Pops::Model::AccessExpression",
    ]);
  });

  it('knows the parameter environment of packages from 8 on', () => {
    const code = "package { 'p': environment => { 'A' => 'b' } }";

    expect(() => compileAt(7, code)).toThrow("no parameter named 'environment'");
    expect(references(compileAt(8, code).catalog)).toEqual(['Package[p]']);
  });

  it('names keys of module data that are not of the module, from 8 on', () => {
    const modules = {
      'm/manifests/init.pp': 'class m($p) { }',
      'm/hiera.yaml': 'version: 5',
      'm/data/common.yaml': 'm::p: 1\nother: 2\n',
    };

    expect(compileAt(7, 'include m', modules).logs.join()).toMatch(/with the name of the module$/);
    expect(compileAt(8, 'include m', modules).logs.join()).toMatch(/name of the module; got other$/);
  });
});
