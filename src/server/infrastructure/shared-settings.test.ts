import { expect, test } from 'vitest';
import { sharedSettings } from './shared-settings.ts';

const settings = {
  compileMasterPoolAddress: '',
  externalNodes: 'none',
  level: 8,
  nodeTerminus: 'plain',
  trustedExternalCommand: '',
} as const;

test('servers that join learn what classifies nodes, and which programs know of them', () => {
  expect(sharedSettings(settings)).toEqual({ language_level: '8' });
  expect(
    sharedSettings({
      ...settings,
      compileMasterPoolAddress: 'pool.test',
      nodeTerminus: 'exec',
      externalNodes: '/etc/enc --fast',
      trustedExternalCommand: '/etc/trusted.d',
    }),
  ).toEqual({
    language_level: '8',
    compile_master_pool_address: 'pool.test',
    node_terminus: 'exec',
    external_nodes: '/etc/enc --fast',
    trusted_external_command: '/etc/trusted.d',
  });
});

test('a program that is not asked is not named', () => {
  const shared = sharedSettings({ ...settings, nodeTerminus: 'classifier', externalNodes: '/etc/enc' });

  expect(shared).toEqual({ language_level: '8', node_terminus: 'classifier' });
});
