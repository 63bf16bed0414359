/** `bunraku autoscaler template` */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Command, UsageError } from '../command.ts';

/** By what is asked for. */
const files: Readonly<Record<string, string>> = {
  aws: 'aws.yaml',
  terraform: 'aws.tf',
  kubernetes: 'kubernetes.yaml',
  'cloud-init': 'cloud-init.yaml',
  systemd: 'bunraku-autoscaled.service',
  'systemd-script': 'bunraku-autoscaled',
};

export const autoscalerTemplateCommand: Command = {
  name: 'autoscaler template',
  summary: 'Print a file to begin with, for a platform on which compile servers come and go',
  usage: `
Usage: bunraku autoscaler template aws|terraform|kubernetes|cloud-init|systemd|systemd-script

  aws          CloudFormation: load balancer, Auto Scaling group with its hooks and policies, roles
  terraform    the same for Terraform
  kubernetes   manifests, to be a resource of a kustomization: Deployment, autoscaler, budget, probes, rights
  cloud-init   user data of a machine that joins by a proof of identity
  systemd      a unit that joins when the machine starts first, and leaves when the platform ends it
  systemd-script   the program that this unit runs at its start and stop

The top of each file says how it is used; docs/autoscaling-on-aws.md and docs/autoscaling-on-kubernetes.md lead through the rest.
`,
  async run(args, io) {
    const [name = '', ...others] = args;
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file === undefined || others.length > 0)
      throw new UsageError(`name one of ${Object.keys(files).join(', ')}`);
    io.stdout(await readFile(fileURLToPath(new URL(file, directory())), 'utf8'));
    return 0;
  },
};

/** Beside the bundle, or among the sources. */
function directory(): URL {
  const isBundle = import.meta.url.endsWith('.js');
  return new URL(isBundle ? './platforms/' : '../../../packaging/platforms/', import.meta.url);
}
