import { describe, expect, it, test } from 'vitest';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { renderCatalog } from '../catalog/index.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const modules = {
  'm/files/every': everyByte,
  'm/files/latin1': Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
  'm/manifests/commented.pp': Uint8Array.of(0x23, 0xe9, 0x0a),
};

/** The catalog as agents get it that take rich data. */
function render(code: string): string {
  const { catalog } = compileSnippet(`$x = file('m/latin1') ${code}`, { modules });
  return renderCatalog(catalog, 'application/vnd.puppet.rich+json');
}

describe('a file of all bytes', () => {
  it('reaches an agent with each of them', () => {
    const catalog = JSON.parse(render("file { '/a': content => file('m/every') }"));

    const { content } = catalog.resources.at(-1).parameters;

    expect(content.__ptype).toBe('Binary');
    expect(new Uint8Array(Buffer.from(content.__pvalue, 'base64'))).toEqual(everyByte);
  });
});

describe('bytes that are not UTF-8', () => {
  test.each([
    ['a title', 'notify { $x: }'],
    ['one of some titles', "notify { ['a', $x]: }"],
    ['a character in a title', '$x.each |$each| { notify { $each: } }'],
    ['a title of create_resources', "create_resources('notify', { $x => {} })"],
    ['an attribute of create_resources', "create_resources('notify', { 'a' => { $x => 1 } })"],
    ['a key', "notify { 'a': message => { $x => 1 } }"],
    ['a tag', 'tag($x)'],
    ['a message of fail', 'fail($x)'],
    ['a Regexp', "notify { 'a': message => Regexp($x) }"],
    ['a Pattern', "notify { 'a': message => Pattern[$x] }"],
    ['an Enum', "notify { 'a': message => Enum[$x] }"],
    ['a name of a type', "notify { 'a': message => Type($x) }"],
  ])('are refused as %s', (_, code) => {
    expect(() => render(code)).toThrow('invalid byte sequence in UTF-8');
  });

  it('are refused in a manifest, be it in a comment', () => {
    expect(() => render('include m::commented')).toThrow(
      'invalid byte sequence in UTF-8 (file: /code/environments/production/modules/m/manifests/commented.pp)',
    );
  });

  test.each(['yaml', 'json'])('are refused in data of Hiera as %s', (format) => {
    const data = Buffer.from(format === 'yaml' ? 'm::k: caf\xe9' : '{"m::k":"caf\xe9"}', 'latin1');
    const hierarchy = `{version: 5, hierarchy: [{name: a, path: a.${format}, data_hash: ${format}_data}]}`;
    const files = { 'm/hiera.yaml': hierarchy, [`m/data/a.${format}`]: data };

    expect(() => compileSnippet("notify { lookup('m::k'): }", { modules: files })).toThrow(
      `Unable to parse (/code/environments/production/modules/m/data/a.${format}): invalid byte sequence in UTF-8`,
    );
  });

  it('can be logged, and go on', () => {
    expect(compileSnippet("notice(file('m/latin1'))", { modules }).logs).toEqual(['notice: caf\uFFFD']);
  });
});
