import { describe, expect, it } from 'vitest';
import { renderNode } from './node-object.ts';

describe('a node as agents see it', () => {
  it('is what Puppet Server answers for a classified node', () => {
    const node = { classes: { tracer: {} }, parameters: { enc_param: 1 } };

    const text = renderNode('moved.bench.test', 'trace', node, undefined);

    // Recorded: the first request of the sample `run14-enc-1`.
    expect(text).toBe(
      '{"name":"moved.bench.test","environment":"trace","classes":{"tracer":{}},"parameters":{"enc_param":1}}',
    );
  });

  it('has a list of classes where the classifier gave one, and facts behind its parameters', () => {
    const node = {
      classes: { a: null },
      listsClasses: true,
      parameters: { x: 1, f: 2 },
      exact: '{"classes":{"a":null},"parameters":{"x":1.0,"f":2}}',
    };
    const values = { f: 1, g: 4096, n: null, environment: 'no' };
    const exactValues = '{"f":1,"g":4096.0,"n":null,"environment":"no"}';

    const text = renderNode('n1', 'production', node, { certname: 'n1', values, exactValues });

    expect(text).toBe(
      '{"name":"n1","environment":"production","classes":["a"],"parameters":{"x":1.0,"f":2,"g":4096.0,"n":""}}',
    );
  });

  it('has no more than name and environment when nothing else is known', () => {
    expect(renderNode('n1', 'production', { classes: {}, parameters: {} }, undefined)).toBe(
      '{"name":"n1","environment":"production"}',
    );
  });
});
