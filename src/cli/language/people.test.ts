import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { catalogCompileCommand } from './catalog-compile.ts';
import { catalogDiffCommand } from './catalog-diff.ts';
import { evaluateCommand } from './evaluate.ts';
import { lookupCommand } from './lookup.ts';

let directory: string;
const at = (name: string): string => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-people-'));
  const files = {
    'code/hiera.yaml':
      'version: 5\nhierarchy:\n  - name: all\n    paths: ["%{facts.os.family}.yaml", common.yaml]\n',
    'code/data/Debian.yaml':
      'lookup_options: { notes::items: { merge: unique } }\nnotes::items: [zero, one]\n',
    'code/data/common.yaml': "notes::items: [one, two]\nnotes::text: 'yes'\nnotes::deep: {a: {b: 1.0}}\n",
    'code/manifests/site.pp': 'notify { "mb ${facts[\'mb\']}": }\n',
    'shared/manifests/site.pp': `
      @@notify { 'mine': message => puppetdb_query('nodes { }') }
      @@notify { 'other': }
      Notify <<| title == 'mine' |>>
    `,
    'facts.json': '{"os": {"family": "Debian"}, "mb": 4096.0}',
    'facts.yaml': 'name: n\nvalues:\n  mb: 4096.0\n  big: 12345678901234567890\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('evaluate', () => {
  it('prints the last value, and messages elsewhere; facts keep the form of their numbers', async () => {
    const code = "notice('hi') $x = {a => [$facts['mb'], undef], 'b' => Integer[1]} $x";

    const { err, exitCode, out } = await runCommand(evaluateCommand, '-e', code, '--facts', at('facts.json'));

    expect(exitCode).toBe(0);
    expect(out).toBe("{\n  'a' => [4096.0, undef],\n  'b' => Integer[1]\n}\n");
    expect(err).toMatch(/^Notice: .*hi\n$/);
  });

  it('fails with the message of the code', async () => {
    const { err, exitCode } = await runCommand(evaluateCommand, '-e', '1 + a', '--node', 'n.example.net');

    expect(exitCode).toBe(1);
    expect(err).toBe(
      "Error: Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 5) on node n.example.net\n",
    );
  });
});

describe('catalog compile', () => {
  it('takes facts from YAML, too, numbers as they are written', async () => {
    const where = ['--code', at('code'), '--facts', at('facts.yaml')];

    const { out } = await runCommand(catalogCompileCommand, 'n.example.net', ...where);

    expect(out).toContain('"title":"mb 4096.0"');
  });

  describe('without a PuppetDB', () => {
    const compile = (...args: readonly string[]) =>
      runCommand(
        catalogCompileCommand,
        'n.example.net',
        '--code',
        at('shared'),
        '--facts',
        at('facts.json'),
        ...args,
      );
    const resources = (out: string): readonly Readonly<Record<string, unknown>>[] => {
      const catalog = JSON.parse(out) as { readonly resources: readonly Readonly<Record<string, unknown>>[] };
      return catalog.resources.filter(({ type }) => type === 'Notify');
    };

    it('lets a node collect what it exports itself, and warns of nothing', async () => {
      const { err, exitCode, out } = await compile('--puppetdb-query', 'empty');

      expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 });
      expect(resources(out)).toEqual([
        expect.objectContaining({ title: 'mine', exported: true, parameters: { message: [] } }),
      ]);
    });

    it('fails for queries without an answer, and says what to do', async () => {
      const { err, exitCode } = await compile();

      expect(exitCode).toBe(1);
      expect(err).toContain(
        'Error while evaluating a Function Call, There is no PuppetDB to query: --puppetdb-query answers in its place (file: ',
      );
    });
  });
});

// Texts as `puppet lookup` 7.23 prints them for data of the same shape.
describe('lookup', () => {
  const look = (...args: readonly string[]) =>
    runCommand(lookupCommand, ...args, '--code', at('code'), '--facts', at('facts.json'), '--node', 'n');

  it('prints the first key that is found', async () => {
    const outcome = await look('none', 'notes::items');

    expect(outcome).toEqual({ exitCode: 0, out: '---\n- zero\n- one\n- two\n', err: '' });
  });

  it('exits with 1 when nothing is found', async () => {
    const { exitCode, out } = await look('none');

    expect(exitCode).toBe(1);
    expect(out).toBe('');
  });

  it('insists on the type', async () => {
    const { err, exitCode } = await look('notes::text', '--type', 'Integer');

    expect(exitCode).toBe(1);
    expect(err).toContain('Found value has wrong type, expects an Integer value, got String');
  });

  it('explains', async () => {
    const { exitCode, out } = await look('notes::text', '--explain');

    expect(exitCode).toBe(0);
    expect(out.slice(out.indexOf('Searching for "notes::text"')).split('\n')).toEqual([
      'Searching for "notes::text"',
      '  Global Data Provider (hiera configuration version 5)',
      '    No such key: "notes::text"',
      '  Environment Data Provider (hiera configuration version 5)',
      `    Using configuration "${at('code/hiera.yaml')}"`,
      '    Hierarchy entry "all"',
      `      Path "${at('code/data/Debian.yaml')}"`,
      '        Original path: "%{facts.os.family}.yaml"',
      '        No such key: "notes::text"',
      `      Path "${at('code/data/common.yaml')}"`,
      '        Original path: "common.yaml"',
      '        Found key: "notes::text" value: "yes"',
      '',
    ]);
  });

  it('refuses options that make no sense', async () => {
    await expect(look()).rejects.toThrow('No keys were given to lookup.');
    await expect(look('x', '--merge', 'none')).rejects.toThrow(
      "The --merge option only accepts 'first', 'hash', 'deep', or 'unique'",
    );
    await expect(look('x', '--sort-merged-arrays')).rejects.toThrow("only available with '--merge deep'");
    await expect(look('x', '--render-as', 'xml')).rejects.toThrow("Unknown rendering format 'xml'");
  });
});

describe('catalog diff', () => {
  const catalog = (file: string, resources: readonly object[], edges: readonly object[] = []): string => {
    writeFileSync(
      at(file),
      JSON.stringify({ name: 'n', environment: 'e', classes: ['a'], resources, edges }),
    );
    return at(file);
  };
  const notify = (title: string, message: unknown) => ({ type: 'Notify', title, parameters: { message } });

  it('finds nothing in catalogs that differ in order alone', async () => {
    const [a, b] = [notify('a', { x: 1, y: 2 }), notify('b', 'b')];

    const outcome = await runCommand(
      catalogDiffCommand,
      catalog('1', [a, b]),
      catalog('2', [b, notify('a', { y: 2, x: 1 })]),
    );

    expect(outcome).toEqual({ exitCode: 0, out: '', err: '' });
  });

  it('shows what was added, removed and changed', async () => {
    const before = catalog('1', [notify('gone', 1), notify('same', 2), notify('changed', ['x'])]);
    const edge = { source: 'Class[A]', target: 'Notify[new]' };
    const after = catalog('2', [notify('same', 2), notify('changed', ['y']), notify('new', 'z')], [edge]);

    const { exitCode, out } = await runCommand(catalogDiffCommand, before, after);

    expect(exitCode).toBe(1);
    expect(out.split('\n')).toEqual([
      '- Notify[gone]',
      '-     message => 1',
      '+ Notify[new]',
      '+     message => "z"',
      '  Notify[changed]',
      '-     message => ["x"]',
      '+     message => ["y"]',
      '+ edge Class[A] -> Notify[new]',
      '',
    ]);
  });

  it('tells 1 from 1.0, and speaks JSON', async () => {
    const before = catalog('1', [notify('a', 1)]);
    writeFileSync(
      at('2'),
      '{"name":"n","environment":"e","classes":["a"],"resources":[{"type":"Notify","title":"a","parameters":{"message":1.0}}]}',
    );

    const { exitCode, out } = await runCommand(catalogDiffCommand, before, at('2'), '--format', 'json');

    expect(exitCode).toBe(1);
    expect(out).toContain('"after": 1.0');
  });

  it('says which file is no catalog', async () => {
    writeFileSync(at('bad'), '{}');

    await expect(async () => await runCommand(catalogDiffCommand, at('bad'), at('bad'))).rejects.toThrow(
      `${at('bad')} is no catalog`,
    );
  });
});
