import { expect, test } from 'vitest';
import { childrenOf, descendantsOf, isRubyNode, prismFiles, RubyParser } from './index.ts';

const parser = new RubyParser(prismFiles());

test('a program becomes plain data with the places where things begin', () => {
  const { root, error } = parser.parse('x = "ä"\nfoo(:bar, /a.b/m) { |y| y }');

  expect(error).toBeUndefined();
  expect(root).toMatchObject({
    kind: 'ProgramNode',
    statements: {
      body: [
        { kind: 'LocalVariableWriteNode', name: 'x', value: { kind: 'StringNode', unescaped: 'ä' } },
        {
          kind: 'CallNode',
          offset: 9,
          name: 'foo',
          receiver: null,
          arguments: { arguments: [{ unescaped: 'bar' }, { unescaped: 'a.b', flags: expect.any(Number) }] },
          block: { kind: 'BlockNode' },
        },
      ],
    },
  });
});

test('the first mistake is told', () => {
  expect(parser.parse('foo(').error).toMatchObject({ message: expect.stringContaining('expected') });
});

test('trees can be walked', () => {
  const { root } = parser.parse('[1, foo(2)]');

  expect([...childrenOf(root)].map(({ kind }) => kind)).toEqual(['StatementsNode']);
  const calls = [...descendantsOf(root)].filter((node) => isRubyNode(node, 'CallNode'));
  expect(calls.map(({ name }) => name)).toEqual(['foo']);
});

test('integers are what Ruby reads, however large', () => {
  const literals = ['2147483648', '-4294967295', '0xFFFF_FFFF', '0b1000_0000_0000_0000_0000_0000_0000_0000'];
  const more = ['0o20000000000', '020000000000', '0d3000000000', '18446744073709551616', '4_294_967_296'];

  const { root } = parser.parse(`"ä"\n[${[...literals, ...more].join(', ')}]`);

  const values = [...descendantsOf(root)].flatMap((node) =>
    isRubyNode(node, 'IntegerNode') ? [node.value] : [],
  );
  expect(values).toEqual([
    2147483648,
    -4294967295,
    4294967295,
    2147483648,
    2147483648,
    2147483648,
    3000000000,
    18446744073709551616n,
    4294967296,
  ]);
});
