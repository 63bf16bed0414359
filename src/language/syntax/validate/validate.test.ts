import { describe, expect, it } from 'vitest';
import {
  type Diagnostic,
  namespaceOfFile,
  PuppetError,
  parseAndValidate,
  parseManifest,
  type ValidationOptions,
  validate,
} from '../index.ts';

function findings(text: string, options: ValidationOptions = {}): string[] {
  const found = validate(parseManifest({ file: '/m/a/manifests/b.pp', text }), options);
  return found.map(({ severity, message, line, column }) => `${severity} ${line}:${column} ${message}`);
}

describe('validation', () => {
  it('lists everything it finds, in order', () => {
    expect(findings('class A { 1 }\n$x[1] = 2')).toEqual([
      "error 1:1 Unacceptable name. The name 'A' is unacceptable as the name of a Host Class Definition",
      'error 1:11 This Literal Integer has no effect. A Host Class Definition can not end with a value-producing expression without other effect',
      'error 2:1 Illegal attempt to assign via [index/key]. Not an assignable reference',
    ]);
  });

  it('takes a key that is there twice as seriously as it is told to', () => {
    const text = '$x = { a => 1, a => 2 }';

    expect(findings(text, { strict: 'off' })).toEqual([]);
    expect(findings(text)).toEqual(["warning 1:18 The key 'a' is declared more than once"]);
    expect(findings(text, { strict: 'error' })).toEqual([
      "error 1:18 The key 'a' is declared more than once",
    ]);
  });

  it('wants the definitions of a module file to be named after it, and nothing else there', () => {
    expect(findings('class a::b { }', { namespace: 'a::b' })).toEqual([]);
    expect(findings('class a { }', { namespace: 'a::b' })).toEqual([
      "error 1:1 Unacceptable location. The name 'a' is unacceptable in file '/m/a/manifests/b.pp'",
    ]);
    expect(findings('notice(1)', { namespace: 'a::b' })).toEqual([
      'error 1:1 This Function Call is unacceptable as a top level construct in this location',
    ]);
    expect(findings('class a::b { }', { namespace: false })).toHaveLength(1);
  });

  it('refuses heredocs that are not in their language', () => {
    expect(() => findings('$x = @(E:pp)\n  1 +\n  | E\n')).toThrow(
      `Invalid produced text having syntax: 'pp'. PP syntax checker: "Syntax error at end of input"`,
    );
    expect(findings('$x = @(E:json)\n  {"a": [1]}\n  | E\n')).toEqual([]);
  });
});

describe('the namespace of a file', () => {
  const code = { manifest: '/e/manifests', modulepath: ['/e/modules', '/opt/modules/'] };

  it.each([
    ['/e/modules/a/manifests/init.pp', 'a'],
    ['/e/modules/a/manifests/b/C.pp', 'a::b::c'],
    ['/opt/modules/a/types/t.pp', 'a::t'],
    ['/opt/modules/a/manifests/b/init.pp', 'a::b::init'],
    ['/e/modules/a/lib/b.pp', false],
    ['/e/manifests/site.pp', undefined],
    ['/elsewhere/a.pp', undefined],
    ['/e/modules/a/templates/t.epp', undefined],
  ])('%s', (file, expected) => {
    expect(namespaceOfFile(file, code)).toBe(expected);
  });
});

describe('reporting', () => {
  function report(text: string): { readonly error: string; readonly logged: readonly string[] } {
    const logged: Diagnostic[] = [];
    try {
      parseAndValidate({ file: '/a.pp', text }, { log: (diagnostic) => logged.push(diagnostic) });
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error;
      return { error: error.message, logged: logged.map(({ message }) => message) };
    }
    return { error: 'none', logged: logged.map(({ message }) => message) };
  }

  it('throws a single error as it is', () => {
    expect(report('$a::b = 1')).toEqual({
      error:
        "Illegal attempt to assign to 'a::b'. Cannot assign to variables in other namespaces (file: /a.pp, line: 1, column: 1)",
      logged: [],
    });
  });

  it('logs several and throws their number, and that of the warnings', () => {
    expect(report('$a::b = { x => 1, x => "\\q" }\n$1 = 2')).toEqual({
      error: 'Language validation logged 2 errors, and 1 warnings. Giving up (file: /a.pp)',
      logged: [
        "Unrecognized escape sequence '\\q'",
        "The key 'x' is declared more than once",
        "Illegal attempt to assign to 'a::b'. Cannot assign to variables in other namespaces",
        "Illegal attempt to assign to the numeric match result variable '$1'. Numeric variables are not assignable",
      ],
    });
  });

  it('logs warnings of code that is fine otherwise', () => {
    expect(report('$a = "\\q"')).toEqual({ error: 'none', logged: ["Unrecognized escape sequence '\\q'"] });
  });
});
