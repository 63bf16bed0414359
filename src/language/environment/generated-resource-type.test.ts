import { describe, expect, test } from 'vitest';
import { parseAndValidate } from '../syntax/index.ts';
import { readGeneratedType } from './generated-resource-type.ts';

/** As `puppet generate types` 7.23 wrote it, shortened. */
const sshkey = `# This file was automatically generated.
Puppet::Resource::ResourceType3.new(
  'sshkey',
  [
    # The basic property that the resource should be in.
    Puppet::Resource::Param(Enum['present', 'absent'], 'ensure'),
    Puppet::Resource::Param(Any, 'key')
  ],
  [
    Puppet::Resource::Param(Enum['ssh-dss', 'dsa'], 'type', true),
    Puppet::Resource::Param(Any, 'name', true),
    Puppet::Resource::Param(Any, 'provider')
  ],
  {
    /^(.*?)@(.*)$/ => ['name', 'type'],
    /(?m-ix:(.*))/ => ['name']
  },
  true,
  false)`;

function read(text: string, name = 'sshkey') {
  const program = parseAndValidate(
    { file: '/e/.resource_types/x.pp', text },
    { strict: 'off', log: () => {} },
  );
  return readGeneratedType(program, name);
}

describe('a generated resource type', () => {
  test('is read as it was written', () => {
    expect(read(sshkey)).toEqual({
      name: 'sshkey',
      properties: new Set(['ensure', 'key']),
      parameters: new Set(['type', 'name', 'provider']),
      namevars: ['type', 'name'],
      titlePatterns: [
        { source: '^(.*?)@(.*)$', multiline: false, attributes: ['name', 'type'] },
        { source: '(.*)', multiline: true, attributes: ['name'] },
      ],
      isIsomorphic: true,
    });
  });

  test('has usual values for what is left out', () => {
    const text = `Puppet::Resource::ResourceType3.new('x', [], [Puppet::Resource::Param(Any, 'name', true)])`;

    expect(read(text, 'x')).toMatchObject({
      isIsomorphic: true,
      titlePatterns: [{ source: '(.*)', attributes: ['name'] }],
    });
  });

  test.each([
    ['', "does not create the resource type 'x' - it is empty"],
    ['notice(1)', 'no call to Puppet::Resource::ResourceType3.new found'],
    [`${sshkey}\nnotice(1)`, 'it has additional logic'],
    [sshkey, "wrong name, expected 'x', actual 'sshkey'"],
    [`Puppet::Resource::ResourceType3.new('x', [$a])`, 'with literals alone'],
  ])('%s is refused', (text, message) => {
    expect(() => read(text, 'x')).toThrow(message);
  });
});
