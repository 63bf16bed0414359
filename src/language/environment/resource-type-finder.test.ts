import { expect, test } from 'vitest';
import type { ResourceTypeInfo } from '../catalog/index.ts';
import { Environment } from './environment.ts';
import { defaultLanguageSettings } from './environment-settings.ts';
import { MemoryFileTree } from './memory-file-tree.ts';
import { ParseCache } from './parse-cache.ts';
import type { ResourceTypeSource } from './resource-type-source.ts';

const root = '/code/environments/production';

/** Reads every type as one without attributes, but for those whose file says otherwise. */
class FakeSource implements ResourceTypeSource {
  readonly asked: string[] = [];

  read(name: string, file: string, libraries: Parameters<ResourceTypeSource['read']>[2]) {
    this.asked.push(file);
    const text = libraries.tree.readText(file);
    if (text === 'hard') return { kind: 'flagged', reason: 'it is hard' } as const;
    if (text === 'empty') return { kind: 'none' } as const;
    const none: ReadonlySet<string> = new Set();
    const type: ResourceTypeInfo = {
      name,
      properties: none,
      parameters: none,
      namevars: ['name'],
      titlePatterns: [],
      isIsomorphic: true,
    };
    return { kind: 'type', type } as const;
  }
}

function environmentWith(files: Readonly<Record<string, string>>, source?: ResourceTypeSource): Environment {
  const absolute = Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]);
  return new Environment(
    {
      name: 'production',
      directory: root,
      modulepath: [`${root}/modules`],
      manifest: `${root}/manifests`,
      configVersion: 1,
      vendorModuleDirectory: `${root}/vendored`,
      codeId: null,
      settings: defaultLanguageSettings,
    },
    new MemoryFileTree(Object.fromEntries(absolute)),
    new ParseCache(),
    source,
  );
}

const files = {
  'modules/a/lib/puppet/type/thing.rb': 'a',
  'modules/b/lib/puppet/type/thing.rb': 'b',
  'modules/b/lib/puppet/type/hard.rb': 'hard',
  'modules/b/lib/puppet/type/empty.rb': 'empty',
  'modules/b/lib/puppet/type/file.rb': 'x',
  '.resource_types/made.pp': "Puppet::Resource::ResourceType3.new('made')",
};

test('a type comes from the first module that has it, and is read once', () => {
  const source = new FakeSource();
  const environment = environmentWith(files, source);

  expect(environment.findResourceType('Thing')).toMatchObject({ name: 'thing' });
  expect(environment.findResourceType('::thing')).toMatchObject({ name: 'thing' });
  expect(environment.findResourceType('nothing')).toBeUndefined();
  expect(environment.findResourceType('../type/thing')).toBeUndefined();
  expect(source.asked).toEqual([`${root}/modules/a/lib/puppet/type/thing.rb`]);
});

test('a type may be in the file of another one, where none is named after it', () => {
  const source = new FakeSource();
  const two =
    'Puppet::Type.newtype(:two) { }\nPuppet::Type.newtype(:thing) { }\nPuppet::Type.newtype(:file) { }\n';
  const environment = environmentWith({ ...files, 'modules/c/lib/puppet/type/one.rb': two }, source);

  environment.findResourceType('two');
  environment.findResourceType('thing');
  environment.findResourceType('file');

  expect(source.asked).toEqual([
    `${root}/modules/c/lib/puppet/type/one.rb`,
    `${root}/modules/a/lib/puppet/type/thing.rb`,
  ]);
});

test('built-in and generated types come before those in Ruby', () => {
  const source = new FakeSource();
  const environment = environmentWith(files, source);

  expect(environment.findResourceType('file')?.namevars).toEqual(['path']);
  expect(environment.findResourceType('made')?.name).toBe('made');
  expect(source.asked).toEqual([]);
});

test('types of the modules that come with Puppet are known without them, unless a module has its own', () => {
  const own = { ...files, 'modules/a/lib/puppet/type/host.rb': 'own' };
  const environment = environmentWith(own, new FakeSource());

  expect(environment.findResourceType('cron')?.properties).toContain('monthday');
  expect(environment.findResourceType('sshkey')?.namevars).toEqual(['type', 'name']);
  expect(environment.rubyTypeFile('cron')).toBeUndefined();
  expect(environment.findResourceType('host')?.properties.size).toBe(0);
  expect(environment.rubyTypeFile('host')).toBe(`${root}/modules/a/lib/puppet/type/host.rb`);
});

test('modules in vendormoduledir come after those of the environment, and give nothing but what is in lib', () => {
  const source = new FakeSource();
  const type = (module: string, name: string) => `${module}/lib/puppet/type/${name}.rb`;
  const vendored = {
    [type('vendored/host_core', 'host')]: 'vendored',
    [type('vendored/host_core', 'thing')]: 'vendored',
    [type('vendored/.hidden', 'hidden')]: 'vendored',
    'vendored/host_core/manifests/init.pp': 'class host_core { }',
  };
  const environment = environmentWith({ ...files, ...vendored }, source);

  expect(environment.findResourceType('host')).toBeDefined();
  expect(environment.findResourceType('thing')).toBeDefined();
  expect(environment.findResourceType('hidden')).toBeUndefined();
  expect(source.asked).toEqual([
    `${root}/${type('vendored/host_core', 'host')}`,
    `${root}/${type('modules/a', 'thing')}`,
  ]);
  expect(environment.libraries).toEqual([
    `${root}/modules/a/lib`,
    `${root}/modules/b/lib`,
    `${root}/vendored/host_core/lib`,
  ]);
  expect(environment.findClass('host_core')).toBeUndefined();
});

test('what cannot be read is left to Ruby, with the reason', () => {
  const environment = environmentWith(files, new FakeSource());

  expect(environment.findResourceType('hard')).toBeUndefined();
  expect(environment.rubyTypeFile('hard')).toBe(`${root}/modules/b/lib/puppet/type/hard.rb`);
  expect(environment.resourceTypeProblem('hard')).toBe('it is hard');
  expect(environment.rubyTypeFile('empty')).toBeUndefined();
  expect(environmentWith(files).rubyTypeFile('thing')).toBe(`${root}/modules/a/lib/puppet/type/thing.rb`);
});
