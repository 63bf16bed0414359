import { describe, expect, test } from 'vitest';
import { Environment } from './environment.ts';
import type { EnvironmentConfig } from './environment-settings.ts';
import { defaultLanguageSettings } from './environment-settings.ts';
import { MemoryFileTree } from './memory-file-tree.ts';
import { ParseCache } from './parse-cache.ts';

const root = '/code/environments/production';

const config: EnvironmentConfig = {
  name: 'production',
  directory: root,
  modulepath: [`${root}/modules`, '/code/modules'],
  manifest: `${root}/manifests`,
  configVersion: 1,
  codeId: null,
  settings: defaultLanguageSettings,
};

/** Paths are relative to the environment's directory, unless absolute. */
function environmentWith(
  files: Readonly<Record<string, string>>,
  changes: Partial<EnvironmentConfig> = {},
  cache = new ParseCache(),
): Environment {
  const absolute = Object.entries(files).map(([path, text]): [string, string] => [
    path.startsWith('/') ? path : `${root}/${path}`,
    text,
  ]);
  return new Environment({ ...config, ...changes }, new MemoryFileTree(Object.fromEntries(absolute)), cache);
}

describe('modules', () => {
  test('are those with a valid name, the first of each name on the modulepath', () => {
    const environment = environmentWith({
      'modules/apache/manifests/init.pp': '',
      'modules/Bad-Name/manifests/init.pp': '',
      'modules/README': '',
      '/code/modules/apache/manifests/init.pp': '',
      '/code/modules/ntp/metadata.json':
        '{"name": "puppetlabs-ntp", "version": "1.0.0", "source": "", "author": "", "license": "", "dependencies": []}',
    });

    const found = [...environment.modules.values()].map(({ name, directory }) => [name, directory]);

    expect(found).toEqual([
      ['apache', `${root}/modules/apache`],
      ['ntp', '/code/modules/ntp'],
    ]);
    expect(environment.modules.get('ntp')?.metadata?.forgeName).toBe('puppetlabs/ntp');
    expect(environment.modules.get('apache')?.metadata).toBeUndefined();
  });

  test('with metadata that is no JSON stay usable, and a warning says so', () => {
    const environment = environmentWith({ 'modules/broken/metadata.json': '{' });

    const metadata = environment.modules.get('broken')?.metadata;

    expect(metadata).toBeUndefined();
    expect(environment.takeWarnings()).toMatchObject([
      { message: expect.stringContaining('broken has an invalid and unparsable metadata.json file') },
    ]);
    expect(environment.takeWarnings()).toEqual([]);
  });

  test('own the files below them', () => {
    const environment = environmentWith({ 'modules/a/files/x/y': '', 'modules/a/templates/t.epp': '' });

    expect(environment.moduleAt(`${root}/modules/a/files/x/y`)?.name).toBe('a');
    expect(environment.moduleAt(`${root}/manifests/site.pp`)).toBeUndefined();
    expect(environment.findFile('a/x/y')).toBe(`${root}/modules/a/files/x/y`);
    expect(environment.findTemplate('a/t.epp')).toBe(`${root}/modules/a/templates/t.epp`);
    expect(environment.findFile('a/none')).toBeUndefined();
    expect(environment.findFile('b/x')).toBeUndefined();
    expect(environment.findFile(`${root}/modules/a/files/x/y`)).toBe(`${root}/modules/a/files/x/y`);
  });
});

describe('the main manifest', () => {
  test('is every .pp file below a directory in the order of the paths', () => {
    const environment = environmentWith({
      'manifests/b.pp': '',
      'manifests/a/z.pp': '',
      'manifests/a.pp': '',
      'manifests/.hidden.pp': '',
      'manifests/notes.txt': '',
    });

    const files = environment.mainPrograms().map((program) => program.source.file);

    expect(files).toEqual([`${root}/manifests/a.pp`, `${root}/manifests/a/z.pp`, `${root}/manifests/b.pp`]);
  });

  test('may be a single file, code given as text, or missing', () => {
    const files = { 'site.pp': 'class a {}' };

    expect(environmentWith(files, { manifest: `${root}/site.pp` }).mainPrograms()).toHaveLength(1);
    expect(environmentWith(files, { manifest: `${root}/site` }).mainPrograms()).toHaveLength(1);
    expect(environmentWith(files, { code: 'class b {}' }).findClass('b')?.program.source.file).toBe('');
    expect(environmentWith(files).mainPrograms()).toEqual([]);
  });

  test('fails each time when it does not parse', () => {
    const environment = environmentWith({ 'manifests/site.pp': 'class {' });

    expect(() => environment.mainPrograms()).toThrow('Syntax error');
    expect(() => environment.findClass('x')).toThrow('Syntax error');
  });
});

describe('classes and defined types', () => {
  test.each([
    ['a', 'modules/a/manifests/init.pp'],
    ['a::b', 'modules/a/manifests/b.pp'],
    ['::A::B::C', 'modules/a/manifests/b/c.pp'],
    ['a::in_init', 'modules/a/manifests/init.pp'],
    ['a::b::inside', 'modules/a/manifests/b.pp'],
    ['outer::inner', 'manifests/site.pp'],
  ])('%s is found in %s', (name, file) => {
    const environment = environmentWith({
      'manifests/site.pp': 'class outer { class inner { } }',
      'modules/a/manifests/init.pp': 'class a { } class a::in_init { }',
      'modules/a/manifests/b.pp': 'class a::b { } class a::b::inside { }',
      'modules/a/manifests/b/c.pp': 'class a::b::c { }',
    });

    const found = environment.findClass(name);

    expect(found?.program.source.file).toBe(`${root}/${file}`);
    expect(found?.module?.name).toBe(file.startsWith('modules') ? 'a' : undefined);
  });

  test('are told apart, and unknown names are not found', () => {
    const environment = environmentWith({ 'modules/a/manifests/d.pp': 'define a::d() { }' });

    expect(environment.findDefinedType('A::D')?.definition.name).toBe('a::d');
    expect(environment.findClass('a::d')).toBeUndefined();
    expect(environment.findClass('a')).toBeUndefined();
    expect(environment.findClass('../a')).toBeUndefined();
    expect(environment.findDefinedType('nowhere::x')).toBeUndefined();
  });

  test.each([
    ['class a { }\nclass a { }', "Class 'a' is already defined (line: 1); cannot redefine (line: 2)"],
    [
      'define a { }\ndefine a { }',
      "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/a'. Originally set at string:?line=1&pos=1.",
    ],
    [
      'define a { }\nclass a { }',
      "Definition 'a' is already defined (line: 1); cannot be redefined as a class (line: 2)",
    ],
    [
      'class a { }\ndefine a { }',
      "'a' is already defined (line: 1) as a class; cannot redefine as a definition (line: 2)",
    ],
    ['node x { }\nnode x { }', "Node 'x' is already defined (line: 1); cannot redefine (line: 2)"],
    [
      'node /x/ { }\nnode /X/ { }',
      "Node '__node_regexp__x' is already defined (line: 1); cannot redefine (line: 2)",
    ],
    [
      'class x { }\nnode x { }',
      "Class 'x' is already defined (line: 1); cannot be redefined as a node (line: 2)",
    ],
  ])('may not be defined twice: %j', (code, message) => {
    const environment = environmentWith({}, { code });

    expect(() => environment.mainPrograms()).toThrow(message);
    expect(() => environment.mainPrograms()).toThrow(message);
  });

  test('of nodes are listed in their order', () => {
    const environment = environmentWith({}, { code: "node 'b', /c/ { } node default { }" });

    expect(environment.nodeDefinitions().map(({ definition }) => definition.hostMatches.length)).toEqual([
      2, 1,
    ]);
  });
});

test('definitions in a module must have names of its namespace', () => {
  const environment = environmentWith({ 'modules/a/manifests/b.pp': 'class a::c { }' });

  expect(() => environment.findClass('a::b')).toThrow(
    `Unacceptable location. The name 'a::c' is unacceptable in file '${root}/modules/a/manifests/b.pp'`,
  );
});

describe('functions and types', () => {
  const files = {
    'functions/plain.pp': 'function plain() { 1 }',
    'functions/environment/inner.pp': 'function environment::inner() { 1 }',
    'functions/outer.pp': 'function environment::outer() { 1 }',
    'types/port.pp': 'type Port = Integer',
    'modules/a/functions/f.pp': 'function a::f() { 1 }',
    'modules/a/functions/n/g.pp': 'function a::n::g() { 1 }',
    'modules/a/functions/wrong.pp': 'function a::wrongly() { 1 }',
    'modules/a/functions/two.pp': 'function a::two() { 1 } function a::two::x() { 1 }',
    'modules/a/functions/empty.pp': '# nothing',
    'modules/a/types/size.pp': 'type A::Size = Integer',
    'modules/a/types/wrong.pp': 'type A::Other = Integer',
    'modules/a/lib/puppet/functions/a/ruby.rb': '',
    'modules/a/lib/puppet/functions/a/both.rb': '',
    'modules/a/functions/both.pp': 'function a::both() { 1 }',
    'modules/a/lib/puppet/functions/global.rb': '',
    'modules/a/lib/puppet/parser/functions/legacy.rb': '',
    'modules/a/lib/puppet/type/thing.rb': '',
  };

  test.each(['plain', 'environment::inner', 'a::f', '::A::N::G'])('the function %s is found', (name) => {
    expect(environmentWith(files).findFunction(name)?.definition.kind).toBe('FunctionDefinition');
  });

  test('no function is found where the reference has none', () => {
    const environment = environmentWith(files);

    expect(environment.findFunction('environment::outer')).toBeUndefined();
    expect(environment.findFunction('a')).toBeUndefined();
    expect(environment.findFunction('f')).toBeUndefined();
    expect(environment.findFunction('a::both')).toBeUndefined();
  });

  test.each([
    ['a::wrong', 'produced function with the wrong name, expected a::wrong, actual a::wrongly'],
    ['a::two', "must contain only the function 'a::two' - it has additional definitions."],
    ['a::empty', "does not define the function 'a::empty' - it is empty."],
  ])('the file of %s is refused', (name, message) => {
    expect(() => environmentWith(files).findFunction(name)).toThrow(message);
  });

  test('types are found by their file', () => {
    const environment = environmentWith(files);

    expect(environment.findTypeAlias('A::Size')?.definition.name).toBe('A::Size');
    expect(environment.findTypeAlias('Port')?.definition.name).toBe('Port');
    expect(environment.findTypeAlias('A::Nope')).toBeUndefined();
    expect(() => environment.findTypeAlias('A::Wrong')).toThrow(
      "produced type with the wrong name, expected 'a::wrong', actual 'A::Other'",
    );
  });

  test('those of the main manifest are known, too', () => {
    const environment = environmentWith({}, { code: 'function m::f() { } type T = String' });

    expect(environment.findFunction('m::f')?.module).toBeUndefined();
    expect(environment.findTypeAlias('t')?.definition.name).toBe('T');
  });

  test('Ruby files are only located', () => {
    const environment = environmentWith(files);

    expect(environment.rubyFunctionFile('a::ruby')).toMatchObject({ api: '4.x' });
    expect(environment.rubyFunctionFile('global')).toMatchObject({ api: '4.x' });
    expect(environment.rubyFunctionFile('legacy')).toMatchObject({ api: '3.x' });
    expect(environment.rubyFunctionFile('nope')).toBeUndefined();
    expect(environment.rubyTypeFile('Thing')).toBe(`${root}/modules/a/lib/puppet/type/thing.rb`);
    expect(environment.rubyTypeFile('file')).toBeUndefined();
  });
});

describe('the parse cache', () => {
  test('gives versions of an environment the same tree for a file that did not change', () => {
    const cache = new ParseCache();
    const files = {
      'modules/a/manifests/init.pp': 'class a { }',
      'modules/a/manifests/b.pp': 'class a::b { }',
    };
    const before = environmentWith(files, {}, cache);
    const after = environmentWith({ ...files, 'modules/a/manifests/b.pp': 'class a::b { } #' }, {}, cache);

    expect(after.findClass('a')?.program).toBe(before.findClass('a')?.program);
    expect(after.findClass('a::b')?.program).not.toBe(before.findClass('a::b')?.program);
  });

  test('forgets what was used least when it is full', () => {
    const cache = new ParseCache(20);
    const environment = environmentWith(
      { 'modules/a/manifests/init.pp': 'class a { }', 'modules/a/manifests/b.pp': 'class a::b { }' },
      {},
      cache,
    );

    environment.findClass('a');
    environment.findClass('a::b');

    expect(cache.size).toBe(1);
  });
});
