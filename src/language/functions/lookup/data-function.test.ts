import { expect, test } from 'vitest';
import { recordingContext } from '../../../../test/support/recording-context.ts';
import { PuppetHash } from '../../pcore/index.ts';

// The messages were recorded from Puppet 7.23.
test('a data function wants the context that Hiera gives to backends', () => {
  const context = recordingContext();
  const options = PuppetHash.from({ path: '/data/common.yaml' });

  const call = (): unknown => context.callFunction('yaml_data', [options, 5]);

  expect(call).toThrow("'yaml_data' parameter 'context' expects a Puppet::LookupContext value, got Integer");
});

test('a data function takes no options but the path', () => {
  const call = (): unknown => recordingContext().callFunction('yaml_data', [new PuppetHash(), 5]);

  expect(call).toThrow("'yaml_data' parameter 'options' expects size to be 1, got 0");
});

test('the function for eyaml files wants the context, too, and is known by name', () => {
  const context = recordingContext();
  const options = PuppetHash.from({ path: '/data/secret.eyaml' });

  const call = (): unknown => context.callFunction('eyaml_lookup_key', ['a', options, 5]);

  expect(call).toThrow(
    "'eyaml_lookup_key' parameter 'context' expects a Puppet::LookupContext value, got Integer",
  );
});
