import { describe, expect, it, test } from 'vitest';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { refuseOutside } from '../../../test/support/outside.ts';
import { type Catalog, renderCatalog } from '../catalog/index.ts';

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

  test.each([
    ['yaml', 'incomplete UTF-8 octet sequence at line 1 column 1'],
    ['hocon', 'invalid byte sequence in UTF-8'],
  ])('are refused in data of Hiera as %s', (format, problem) => {
    const data = Buffer.from(format === 'yaml' ? 'm::k: caf\xe9' : '{"m::k":"caf\xe9"}', 'latin1');
    const hierarchy = `{version: 5, hierarchy: [{name: a, path: a.${format}, data_hash: ${format}_data}]}`;
    const files = { 'm/hiera.yaml': hierarchy, [`m/data/a.${format}`]: data };

    expect(() => compileSnippet("notify { lookup('m::k'): }", { modules: files })).toThrow(
      `Unable to parse (/code/environments/production/modules/m/data/a.${format}): ${problem}`,
    );
  });

  it('of facts reach an agent as they are', () => {
    const facts = { a: 'caf\udce9', b: { 'k\udcff': ['\udc80'] } };

    const { catalog } = compileSnippet(
      "notify { 'n': message => [$a, $facts['b'][keys($facts['b'])[0]][0]] }",
      {
        request: { facts },
      },
    );

    const parameters = JSON.parse(renderCatalog(catalog, 'application/vnd.puppet.rich+json')).resources.at(
      -1,
    ).parameters;
    expect(parameters.message).toEqual([
      { __ptype: 'Binary', __pvalue: Buffer.from('caf\xe9', 'latin1').toString('base64') },
      { __ptype: 'Binary', __pvalue: Buffer.of(0x80).toString('base64') },
    ]);
  });

  describe('in data of Hiera', () => {
    const bytesOf = (data: string, code = "lookup('m::k')") => {
      const hierarchy = (kind: string) => `{name: ${kind}, path: a.${kind}, data_hash: ${kind}_data}`;
      const { catalog } = compileSnippet(`notify { 'n': message => ${code} }`, {
        modules: {
          'm/hiera.yaml': `{version: 5, hierarchy: [${hierarchy('json')}, ${hierarchy('yaml')}]}`,
          'm/data/a.json': Buffer.from(data, 'latin1'),
          'm/data/a.yaml': 'm::byte: !!binary 6Q==\nm::bytes: !!binary 6SV7ZmFjdHMua2VybmVsfQ==\n',
        },
      });
      const rendered = JSON.parse(renderCatalog(catalog, 'application/vnd.puppet.rich+json'));
      return Buffer.from(rendered.resources.at(-1).parameters.message.__pvalue, 'base64').toString('latin1');
    };

    it('reach an agent from JSON', () => {
      expect(bytesOf('{"m::k": "caf\xe9 \xc3\xbc"}')).toBe('caf\xe9 \xc3\xbc');
      expect(bytesOf('{"m::k": {"k\xe9": 1}}', "keys(lookup('m::k'))[0]")).toBe('k\xe9');
    });

    it('take part in interpolation', () => {
      expect(bytesOf('{"m::k": "a%{lookup(\'m::byte\')}b"}')).toBe('a\xe9b');
      expect(bytesOf('{}', "lookup('m::bytes')")).toBe('\xe9Linux');
    });

    it('do not mix with characters beyond ASCII', () => {
      expect(() => bytesOf('{"m::k": "\xc3\xbc%{lookup(\'m::byte\')}b"}')).toThrow(
        'incompatible character encodings: UTF-8 and ASCII-8BIT',
      );
    });
  });

  it('are refused in hiera.yaml, be it in a comment', () => {
    const hierarchy = Buffer.from('version: 5 # caf\xe9\n# end', 'latin1');

    expect(() => compileSnippet("lookup('m::k')", { modules: { 'm/hiera.yaml': hierarchy } })).toThrow(
      '(/code/environments/production/modules/m/hiera.yaml): invalid trailing UTF-8 octet at line 1 column 1',
    );
  });

  describe('in what eyaml decrypts', () => {
    const hierarchy = '{version: 5, hierarchy: [{name: a, path: a.eyaml, lookup_key: eyaml_lookup_key}]}';
    const lookup = (plain: Uint8Array, data = 'ENC[PKCS7,x]') =>
      compileSnippet("notify { 'a': message => lookup('m::k') }", {
        modules: { 'm/hiera.yaml': hierarchy, 'm/data/a.eyaml': `m::k: "${data}"` },
        request: { termini: { outside: refuseOutside, eyaml: { decrypt: () => plain } } },
      }).catalog;
    const messageOf = (catalog: Catalog) =>
      JSON.parse(renderCatalog(catalog, 'application/vnd.puppet.rich+json')).resources.at(-1).parameters
        .message;

    it('reach an agent with each of them', () => {
      const { __ptype, __pvalue } = messageOf(lookup(everyByte));

      expect(__ptype).toBe('Binary');
      expect(new Uint8Array(Buffer.from(__pvalue, 'base64'))).toEqual(everyByte);
    });

    it('are joined with the text around them', () => {
      const { __pvalue } = messageOf(lookup(Uint8Array.of(0xe9), '\u00fc-ENC[PKCS7,x]'));

      expect(Buffer.from(__pvalue, 'base64').toString('hex')).toBe('c3bc2de9');
    });

    it('are text where they are UTF-8', () => {
      expect(messageOf(lookup(Buffer.from('\u00fc%{facts.kernel}\n')))).toBe('\u00fcLinux');
    });

    it('are refused where they have expressions', () => {
      expect(() => lookup(Buffer.from('%{facts.kernel}\xe9', 'latin1'))).toThrow(
        'invalid byte sequence in UTF-8',
      );
    });
  });

  it('can be logged, and go on', () => {
    expect(compileSnippet("notice(file('m/latin1'))", { modules }).logs).toEqual(['notice: caf\uFFFD']);
  });
});
