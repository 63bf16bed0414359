import { expect, it } from 'vitest';
import { ByteString, Float, PuppetHash, SensitiveValue } from '../../language/pcore/index.ts';
import { renderFound } from './found-value.ts';

const hash = new PuppetHash([
  ['a', [1, new Float(1), null]],
  ['b', new PuppetHash([['c', 'yes']])],
]);

// As `puppet lookup` 7.23 renders them.
it('renders what a lookup found as YAML, JSON or text', () => {
  expect(renderFound(hash, 'yaml')).toBe("---\na:\n- 1\n- 1.0\n-\nb:\n  c: 'yes'");
  expect(renderFound(hash, 'json')).toBe('{"a":[1,1.0,null],"b":{"c":"yes"}}');
  expect(renderFound(hash, 's')).toBe('{"a"=>[1, 1.0, nil], "b"=>{"c"=>"yes"}}');
});

it('shows a secret as the reference does', () => {
  const secret = new SensitiveValue('x');

  expect(renderFound(secret, 'yaml')).toBe(
    '--- !ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive\nvalue: x',
  );
  expect(renderFound(secret, 'json')).toBe('"Sensitive [value redacted]"');
});

it('shows bytes as the reference does, and refuses them where they would not stay what they are', () => {
  const latin1 = new ByteString('caf\xe9');
  const utf8 = new ByteString('\xc3\xbc');

  expect(renderFound(latin1, 'yaml')).toBe('--- !binary |-\n  Y2Fm6Q==');
  expect(renderFound(new ByteString('a'), 'yaml')).toBe('--- a');
  expect(renderFound(utf8, 'json')).toBe('"\u00fc"');
  expect(renderFound(utf8, 's')).toBe('\u00fc');
  expect(() => renderFound(latin1, 'json')).toThrow('invalid byte sequence in UTF-8');
  expect(() => renderFound(latin1, 's')).toThrow('invalid byte sequence in UTF-8');
});
