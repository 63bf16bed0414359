/**
 * Facts as files in YAML, `yamldir/facts/CERTNAME.yaml`, as the cache of a real server has them: for programs of the site that
 * read them there, such as the ENC of Foreman.
 *
 * @see Puppet::Node::Facts::Yaml
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { type RenderableYaml, renderYaml, YamlObject, yamlOfJson } from '../../lib/yaml/index.ts';
import type { FactSet } from './wire.ts';

const directoryMode = 0o750;
const fileMode = 0o640;

export type CachedFacts = Pick<FactSet, 'certname' | 'values' | 'exactValues'> &
  Partial<Pick<FactSet, 'producedAt' | 'expiresAt'>>;

export class YamlFactCache {
  private readonly directory: string;

  /** @param yamlDir - the setting `yamldir` */
  constructor(yamlDir: string) {
    this.directory = join(yamlDir, 'facts');
  }

  async save(facts: CachedFacts): Promise<void> {
    const { certname } = facts;
    if (/[/\\]|^\.\.?$/.test(certname)) throw new Error(`Invalid node name ${JSON.stringify(certname)}`);
    await mkdir(this.directory, { recursive: true, mode: directoryMode });
    await writeFileAtomically(join(this.directory, `${certname}.yaml`), renderFacts(facts), fileMode);
  }
}

/** What Ruby's `to_yaml` makes of facts. */
export function renderFacts({ certname, exactValues, expiresAt, producedAt, values }: CachedFacts): string {
  const members = new Map<string, RenderableYaml>([
    ['name', certname],
    ['values', yamlOfJson(exactValues ?? JSON.stringify(values))],
  ]);
  if (producedAt !== undefined) members.set('timestamp', renderTime(producedAt));
  if (expiresAt !== undefined) members.set('expiration', renderTime(expiresAt));
  return renderYaml(new YamlObject('Puppet::Node::Facts', members));
}

/** Ruby counts nanoseconds. */
function renderTime(time: Date): string {
  return time.toISOString().replace('Z', '000000Z');
}
