import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { LocalClassifiedNodes } from './classified-nodes.ts';
import { closeAll, create, open } from './classifier.testing.ts';
import { interpolate } from './interpolation.ts';

afterAll(closeAll);

const node = {
  name: 'a.test',
  fact: {
    ipaddress: '10.0.0.1',
    processors: { count: 4, physicalcount: 1 },
    os: { family: 'Debian', release: { major: '12', full: '12.1' }, 'a b': ['x', 'y'] },
    is_virtual: false,
    swap: null,
    names: ['one', 'two'],
  },
  trusted: { certname: 'a.test', extensions: { pp_role: 'web', '1.3.6.1.4.1.34380.1.2.1': 'own' } },
};

describe('References to facts in values of groups', () => {
  // The examples of the reference.
  test.each<[string, Json]>([
    ['I live at $ipaddress.', 'I live at 10.0.0.1.'],
    ['$processors[count]', '{"count" => 4,"physicalcount" => 1}[count]'],
    ['${$os["release"]["full"]}', '12.1'],
    ['${$os[release]}', { major: '12', full: '12.1' }],
    ["${$os['release'][major]}", '12'],
    ['${$os[release][1]}', '12.1'],
    ['${os}', node.fact.os],
    ['My name is ${trusted[certname]}', 'My name is a.test'],
    [String.raw`\$1\$nnkkFwEc\$safFMXYaUVfKrDV4FLCm0/`, '$1$nnkkFwEc$safFMXYaUVfKrDV4FLCm0/'],
    [String.raw`My \$ipaddress is $ipaddress.`, 'My $ipaddress is 10.0.0.1.'],
    [String.raw`$ipaddress\$two`, '10.0.0.1$two'],
  ])('%s', (text, expected) => {
    expect(interpolate(text, node)).toEqual(expected);
  });

  test.each<string>([
    '${$::os}',
    '${$os[$release]}',
    '${$os[0xff]}',
    '${$os[6/3]}',
    '${$os[$family + $release]}',
    '${$os + $release}',
    '$::ipaddress',
    'costs 5$',
    '$',
    '${os[release}',
  ])('%s is none, and stays as it is', (text) => {
    expect(interpolate(text, node)).toBe(text);
  });

  test('keep their type where they are the whole text', () => {
    const values = ['$is_virtual', '${processors[count]}', '$names', '${names[1]}', 'is $is_virtual'];

    expect(interpolate(values, node)).toEqual([false, 4, ['one', 'two'], 'two', 'is false']);
  });

  test('are found in values within values, but not in names of members', () => {
    const value = { a: { $ipaddress: ['$ipaddress', { b: 'x${trusted[extensions][pp_role]}x' }] }, n: 1 };

    expect(interpolate(value, node)).toEqual({ a: { $ipaddress: ['10.0.0.1', { b: 'xwebx' }] }, n: 1 });
  });

  test('may need quotes around an index', () => {
    expect(interpolate("${os['a b'][0]}", node)).toBe('x');
    expect(interpolate("${trusted[extensions]['1.3.6.1.4.1.34380.1.2.1']}", node)).toBe('own');
  });

  test('that a node does not have are nothing in braces, and stay as they are without', () => {
    expect(interpolate('${nothing}', node)).toBeNull();
    expect(interpolate('${os[nothing][else]}', node)).toBeNull();
    expect(interpolate('a${nothing}b${os[toString]}c', node)).toBe('abc');
    expect(interpolate('$6$salt$hash', node)).toBe('$6$salt$hash');
    expect(interpolate('$toString $trusted', node)).toBe('$toString $trusted');
    expect(interpolate(['$swap', '${swap}'], node)).toEqual(['$swap', null]);
  });

  test('are kept from being one by an odd number of backslashes', () => {
    const texts = [String.raw`C:\\$ipaddress`, String.raw`C:\\\$ipaddress`, String.raw`a\b $ipaddress`];

    expect(texts.map((text) => interpolate(text, node))).toEqual([
      String.raw`C:\10.0.0.1`,
      String.raw`C:\$ipaddress`,
      String.raw`a\b 10.0.0.1`,
    ]);
  });
});

describe('A classified node', () => {
  const group = {
    name: 'A',
    rule: ['~', 'name', '.'],
    classes: { ntp: { servers: ['ntp.${trusted[domain]}'], panic: '${processors[count]}' } },
    variables: { where: '$ipaddress' },
    config_data: { ssh: { port: '${port}' } },
  };

  test('gets its own facts in classes, variables and configuration data', async () => {
    const client = await open();
    await create(client, group);
    const question = {
      certname: 'a.example.test',
      facts: { values: { ...node.fact, port: 22 } },
      trusted: async () => ({
        authenticated: 'remote',
        certname: 'a.example.test',
        extensions: {},
        external: {},
      }),
    };

    expect(await new LocalClassifiedNodes(client.classifier).find(question)).toMatchObject({
      classes: { ntp: { servers: ['ntp.example.test'], panic: 4 } },
      parameters: { where: '10.0.0.1' },
      configData: { ssh: { port: 22 } },
    });
  });

  test('is shown with them, and the group as it was written', async () => {
    const client = await open();
    const id = await create(client, group);
    const body = { fact: node.fact, trusted: { domain: 'test' } };

    const classified = await client.ask('POST', 'classified/nodes/a', body);
    const second = await client.ask('POST', 'v2/classified/nodes/a', body);
    const explained = await client.ask('POST', 'classified/nodes/a/explanation', body);

    expect(classified.body).toMatchObject({
      classes: { ntp: { servers: ['ntp.test'], panic: 4 } },
      parameters: { where: '10.0.0.1' },
    });
    expect(second.body).toMatchObject({ config_data: { ssh: { port: null } } });
    expect(explained.body).toMatchObject({
      inherited_classifications: { [id]: { variables: { where: '$ipaddress' } } },
      final_classification: { variables: { where: '10.0.0.1' } },
    });
    expect((await client.ask('GET', `groups/${id}`)).body).toMatchObject({
      variables: { where: '$ipaddress' },
    });
  });
});
