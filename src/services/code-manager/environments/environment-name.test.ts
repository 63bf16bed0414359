import { expect, test } from 'vitest';
import { correctedName, environmentName } from './environment-name.ts';

const source = {
  name: 'main',
  prefix: false as boolean | string,
  stripComponent: undefined as string | undefined,
};

test('a branch that is a word is the environment', () => {
  expect(environmentName('production', source, 'error')).toEqual({
    name: 'production',
    derived: 'production',
    isCorrected: false,
  });
});

test('other characters become underscores, or make the name impossible', () => {
  expect(environmentName('feature/add-x.y', source, 'correct')?.name).toBe('feature_add_x_y');
  expect(environmentName('feature/x', source, 'correct_and_warn')?.isCorrected).toBe(true);
  expect(environmentName('feature/x', source, 'error')).toBeUndefined();
  expect(environmentName('größe', source, 'correct')?.name).toBe('gr__e');
});

test('prefixes are the name of the source, or a text', () => {
  expect(environmentName('qa', { ...source, prefix: true }, 'error')?.name).toBe('main_qa');
  expect(environmentName('qa', { ...source, prefix: 'app1' }, 'error')?.name).toBe('app1_qa');
  expect(environmentName('qa', { ...source, prefix: '' }, 'error')?.name).toBe('qa');
});

test('components are stripped as a prefix or by an expression', () => {
  expect(environmentName('env/qa', { ...source, stripComponent: 'env/' }, 'error')?.name).toBe('qa');
  expect(environmentName('my/env/qa', { ...source, stripComponent: 'env/' }, 'correct')?.name).toBe(
    'my_env_qa',
  );
  expect(environmentName('team-a_qa', { ...source, stripComponent: '/^team-._/' }, 'error')?.name).toBe('qa');
  expect(environmentName('env/', { ...source, stripComponent: 'env/' }, 'correct')).toBeUndefined();
});

test('names that lead elsewhere are corrected, too', () => {
  expect(correctedName('../../etc')).toBe('______etc');
  expect(correctedName('--upload-pack')).toBe('__upload_pack');
});
