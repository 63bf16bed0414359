import { describe, expect, it } from 'vitest';
import { Catalog } from './catalog.ts';
import { coreResourceTypes } from './core-resource-types.ts';
import { renderCatalog } from './render.ts';
import { Resource } from './resource.ts';

function emptyCatalog(): Catalog {
  return new Catalog({
    name: 'a.example.net',
    environment: 'production',
    version: 1,
    codeId: null,
    catalogUuid: 'd8a93ce1-a1cd-4598-b509-f3a3b12e0356',
    findType: (name) => coreResourceTypes.get(name),
  });
}

function native(type: string, title: string, line = 1): Resource {
  const resource = new Resource({
    type,
    title,
    kind: 'compilable_type',
    typeInfo: coreResourceTypes.get(type.toLowerCase()),
    scope: undefined,
    source: undefined,
    file: '/a.pp',
    line,
  });
  resource.tagWithName();
  return resource;
}

describe('a catalog', () => {
  it('finds a resource by every spelling of its title', () => {
    const catalog = emptyCatalog();
    const resource = native('File', '/tmp/a/');
    catalog.add(resource);

    expect(catalog.find('file', '/tmp/a/')).toBe(resource);
    expect(catalog.find('File', '/tmp/a')).toBe(resource);
    expect(catalog.findReference('File[/tmp/a]')).toBe(resource);
    expect(catalog.find('File', '/tmp/b')).toBeUndefined();
  });

  it('refuses a second declaration and says where the first is', () => {
    const catalog = emptyCatalog();
    catalog.add(native('File', '/tmp/a', 3));

    expect(() => catalog.add(native('File', '/tmp/a', 7))).toThrow(
      'Duplicate declaration: File[/tmp/a] is already declared at (file: /a.pp, line: 3); ' +
        'cannot redeclare (file: /a.pp, line: 7)',
    );
  });

  it('refuses another title for the same thing', () => {
    const catalog = emptyCatalog();
    catalog.add(native('File', '/tmp/a', 3));
    const same = native('File', 'elsewhere', 7);
    same.setParameter({ name: 'path', value: '/tmp/a', source: undefined });

    expect(() => catalog.add(same)).toThrow(
      'Cannot alias File[elsewhere] to ["/tmp/a"] at (file: /a.pp, line: 7); ' +
        'resource ["File", "/tmp/a"] already declared (file: /a.pp, line: 3)',
    );
  });
});

describe('a rendered catalog', () => {
  it('has everything that an agent expects, in the order of a real server', () => {
    const catalog = emptyCatalog();
    const a = native('File', '/a/');
    const b = native('File', '/b');
    b.setParameter({ name: 'mode', value: '0644', source: undefined });
    catalog.add(a);
    catalog.add(b);
    catalog.graph.addEdge(a, b);
    catalog.addClass('x::y');

    expect(renderCatalog(catalog, 'application/json')).toBe(
      '{"tags":["x::y","x","y"],"name":"a.example.net","version":1,"code_id":null,' +
        '"catalog_uuid":"d8a93ce1-a1cd-4598-b509-f3a3b12e0356","catalog_format":2,"environment":"production",' +
        '"resources":[{"type":"File","title":"/a/","tags":["file"],"file":"/a.pp","line":1,"exported":false,' +
        '"kind":"compilable_type","parameters":{"path":"/a"}},' +
        '{"type":"File","title":"/b","tags":["file"],"file":"/a.pp","line":1,"exported":false,' +
        '"kind":"compilable_type","parameters":{"mode":"0644"}}],' +
        '"edges":[{"source":"File[/a/]","target":"File[/b]"}],"classes":["x::y"]}',
    );
  });

  it('leaves out what is only virtual', () => {
    const catalog = emptyCatalog();
    const resource = native('File', '/a');
    resource.isVirtual = true;
    catalog.add(resource);

    expect(renderCatalog(catalog, 'application/json')).toContain('"resources":[]');
  });
});
