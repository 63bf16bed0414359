/** The report processor `store`: each report is a file in YAML, `reportdir/CERTNAME/YYYYmmddHHMM.yaml`. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { renderYaml, YamlObject, yamlOfJson } from '../../lib/yaml/index.ts';
import type { ReportProcessor } from './termini.ts';

const directoryMode = 0o750;
const fileMode = 0o640;

/** @see Puppet::Reports, `store` */
export function storeProcessor(reportDir: string, now: () => Date): ReportProcessor<string> {
  return {
    make: (_report, body) => renderReport(body),
    process: async ({ certname }, yaml) => {
      if (/[/\\]|^\.\.?$/.test(certname)) throw new Error(`Invalid node name ${JSON.stringify(certname)}`);
      const directory = join(reportDir, certname);
      await mkdir(directory, { recursive: true, mode: directoryMode });
      const name = now().toISOString().slice(0, 16).replaceAll(/\D/g, '');
      await writeFileAtomically(join(directory, `${name}.yaml`), yaml, fileMode);
    },
  };
}

/** @param body - the report as the agent sent it, JSON @returns what Ruby's `to_yaml` makes of it */
export function renderReport(body: string): string {
  const members = yamlOfJson(body);
  if (!(members instanceof Map)) throw new TypeError('a report is an object');
  return renderYaml(new YamlObject('Puppet::Transaction::Report', members));
}
