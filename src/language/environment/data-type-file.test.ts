import { describe, expect, it } from 'vitest';
import { dataTypeAlias } from './data-type-file.ts';

const FILE = '/modules/m/lib/puppet/datatypes/m/t.rb';
const created = (body: string): string => `Puppet::DataTypes.create_type('M::T') do\n${body}\nend\n`;

describe('the interface of a data type in Ruby', () => {
  it.each([
    [
      'heredoc',
      '  interface <<-PUPPET\n    attributes => { a => String }\n  PUPPET\n  implementation do\n  end',
    ],
    ['heredoc without interpolation', "  interface <<~'END'\n    attributes => { a => String }\n  END"],
    ['heredoc in parentheses', '  interface(<<-PUPPET)\n    attributes => { a => String }\n  PUPPET'],
    ['text', '  interface "attributes => { a => String }"'],
    ['text in parentheses', "  interface('attributes => { a => String }')"],
  ])('may be a %s', (_, body) => {
    const code = dataTypeAlias(created(body), 'm::t', FILE);

    expect(code.replaceAll(/\s+/g, ' ')).toBe('type M::T = Object[{ attributes => { a => String } }] ');
  });

  it.each([
    ['puts 1', `The code loaded from ${FILE} does not seem to be a TypeSet/DataType - no create_type call.`],
    [created(''), "Data Type Load Error for type 'M::T': a data type must have an interface"],
    [
      created('  interface <<-P\n  a => #{1}\n  P'),
      `Data Type Load Error for type 'M::T': its interface can't be read (${FILE}): write it as one text without #{}`,
    ],
    [
      "Puppet::DataTypes.create_type('M::U') do\n  interface ''\nend",
      `The code loaded from ${FILE} produced mis-matched name, expected 'm::t', got M::U`,
    ],
  ])('is asked for by name: %j', (ruby, message) => {
    expect(() => dataTypeAlias(ruby, 'm::t', FILE)).toThrow(message);
  });
});
