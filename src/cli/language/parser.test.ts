import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { parserDumpCommand } from './parser-dump.ts';
import { parserValidateCommand } from './parser-validate.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-parser-'));
  mkdirSync(join(directory, 'good/deep'), { recursive: true });
  const files = {
    'syntax.pp': "class a {\n  notify { 'x' }\n}\n",
    'end.pp': '$a = \n',
    'many.pp': '$x = 1\n$Y = 2\nclass c { class d { } }\n1\n"a"\ndefine x { $x::y = 3 }\n',
    'good/a.pp': '$a = 1\n',
    'good/deep/b.pp': 'class b { }\n',
    'good/notes.txt': 'no manifest {',
    't.epp': '<%- | $x | -%><%= $x %>',
    'bad.epp': '<%= $x',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
});
afterAll(() => rmSync(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);

// All texts are those of `puppet parser validate` 7.23 for the same files.
describe('parser validate', () => {
  it('says nothing about manifests that are right', async () => {
    const outcome = await runCommand(parserValidateCommand, at('good'), at('t.epp'));

    expect(outcome).toEqual({ exitCode: 0, out: '', err: '' });
  });

  it('names the mistakes of each file, in the order of the files', async () => {
    const outcome = await runCommand(parserValidateCommand, at('syntax.pp'), at('good'), at('end.pp'));

    expect(outcome.exitCode).toBe(1);
    expect(outcome.err).toBe(
      `Error: Could not parse for environment production: Syntax error at '}' (file: ${at('syntax.pp')}, line: 2, column: 16)\n` +
        `Error: Could not parse for environment production: Syntax error at end of input (file: ${at('end.pp')})\n`,
    );
  });

  it('lists all findings of a file, and counts them', async () => {
    const { err, exitCode } = await runCommand(parserValidateCommand, at('many.pp'));

    expect(exitCode).toBe(1);
    expect(err.split('\n')).toEqual([
      `Error: This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (file: ${at('many.pp')}, line: 4, column: 1)`,
      `Error: Illegal variable name, The given name 'Y' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/ (file: ${at('many.pp')}, line: 2, column: 1)`,
      `Error: Illegal attempt to assign to 'x::y'. Cannot assign to variables in other namespaces (file: ${at('many.pp')}, line: 6, column: 12)`,
      'Error: Language validation logged 3 errors. Giving up',
      '',
    ]);
  });

  it('renders errors as JSON', async () => {
    const outcome = await runCommand(
      parserValidateCommand,
      '--render-as',
      'json',
      at('syntax.pp'),
      at('many.pp'),
    );

    expect(outcome.err).toBe('');
    expect(JSON.parse(outcome.out)).toEqual({
      [at('syntax.pp')]: {
        issue_code: 'SYNTAX_ERROR',
        message: "Syntax error at '}'",
        full_message: `Could not parse for environment production: Syntax error at '}' (file: ${at('syntax.pp')}, line: 2, column: 16)`,
        file: at('syntax.pp'),
        line: 2,
        pos: 16,
      },
      [at('many.pp')]: {
        issue_code: null,
        message: 'Language validation logged 3 errors. Giving up',
        full_message: `Could not parse for environment production: Language validation logged 3 errors. Giving up (file: ${at('many.pp')})`,
        file: at('many.pp'),
        line: null,
        pos: null,
      },
    });
  });

  it('checks templates, and misses files that are not there', async () => {
    const outcome = await runCommand(parserValidateCommand, at('bad.epp'), at('none.pp'));

    expect(outcome.exitCode).toBe(1);
    expect(outcome.err).toContain(`(file: ${at('bad.epp')}`);
    expect(outcome.err).toContain(`One or more file(s) specified did not exist:\n   ${at('none.pp')}\n`);
  });
});

describe('parser dump', () => {
  const code = '$a = {x=>[1,"a${b}c", undef]} if true {1} else {$x}';

  it('prints the tree in Puppet Notation, on one line or several', async () => {
    const flat = await runCommand(parserDumpCommand, '-e', code, '--no-validate');
    const pretty = await runCommand(parserDumpCommand, '-e', '$a = [1, "\\n"]', '--pretty');

    expect(flat.out).toBe(
      '(block (= (var "a") (hash (=> (qn "x") (array 1 (concat "a" (str (var "b")) "c") nil)))) ' +
        '(if {:test true :then [1] :else [(var "x")]}))\n',
    );
    expect(pretty.out).toBe('(=\n  (var\n    "a")\n  (array\n    1\n    "\\n"))\n');
  });

  it('prints the tree as JSON', async () => {
    const { out } = await runCommand(parserDumpCommand, '-e', code, '--no-validate', '--format', 'json');

    expect(out).toBe(
      '{"^":["block",{"^":["=",{"^":["var","a"]},{"^":["hash",{"^":["=>",{"^":["qn","x"]},{"^":["array",1,' +
        '{"^":["concat","a",{"^":["str",{"^":["var","b"]}]},"c"]},null]}]}]}]},' +
        '{"^":["if",{"#":["test",true,"then",[1],"else",[{"^":["var","x"]}]]}]}]}\n',
    );
  });

  it('names each file, and fails for those that do not parse', async () => {
    const outcome = await runCommand(parserDumpCommand, at('good/a.pp'), at('end.pp'));

    expect(outcome).toEqual({
      exitCode: 1,
      out: `--- ${at('good/a.pp')}\n(= (var "a") 1)\n--- ${at('end.pp')}\n`,
      err: `Error: Syntax error at end of input (file: ${at('end.pp')})\n`,
    });
  });
});
