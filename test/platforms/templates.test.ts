/** The files that people take as they are, checked by what Debian and npm have for each. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { parse as parseTerraform } from '@cdktf/hcl2json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseYaml, yamlToData } from '../../src/lib/yaml/index.ts';
import { allSettings } from '../../src/platform/settings/all-settings.ts';

const templates = join(import.meta.dirname, '..', '..', 'packaging', 'platforms');
let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-templates-'));
});

afterAll(() => rmSync(base, { recursive: true }));

/** Programs that are used where they are there. */
const [client, cloudInit] = ['kubectl', 'cloud-init'] as const;

function isThere(program: string): boolean {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
}

function read(name: string): string {
  return readFileSync(join(templates, name), 'utf8');
}

type Data = Readonly<Record<string, unknown>>;
type SpecDatabase = ReturnType<typeof loadAwsServiceSpecSync>;

describe('the template for CloudFormation', () => {
  const template = yamlToData(parseYaml(read('aws.yaml'))) as {
    readonly Parameters: Data;
    readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: Data }>>;
    readonly Outputs: Data;
  };
  const resources = Object.entries(template.Resources);
  const database = loadAwsServiceSpecSync();

  test.each(resources)(
    '%s has properties that AWS knows, of their types, and all that are required',
    (_name, resource) => {
      const type = database.lookup('resource', 'cloudFormationType', 'equals', resource.Type).only();

      expect(problemsOf(database, type.properties, resource.Properties)).toEqual([]);
    },
  );

  test('a property that AWS does not know is found', () => {
    const type = database
      .lookup('resource', 'cloudFormationType', 'equals', 'AWS::AutoScaling::AutoScalingGroup')
      .only();
    const wrong = {
      MaxSize: '1',
      MinSize: '1',
      LifecycleHookSpecificationList: [{ LifecycleHookNam: 'a' }],
      Size: 2,
    };

    expect(problemsOf(database, type.properties, wrong)).toEqual([
      'LifecycleHookSpecificationList.0.LifecycleHookNam is not known',
      'LifecycleHookSpecificationList.0.LifecycleHookName is missing',
      'LifecycleHookSpecificationList.0.LifecycleTransition is missing',
      'Size is not known',
    ]);
  });

  test('refers to nothing that is not there', () => {
    const known = new Set([...Object.keys(template.Parameters), ...Object.keys(template.Resources)]);
    const missing = referencesIn(template).filter((name) => !known.has(name) && !name.startsWith('AWS::'));

    expect(missing).toEqual([]);
  });

  test('has the hooks that the settings name by default, and the metric that servers send', () => {
    const text = read('aws.yaml');
    const defaultOf = (name: string) => allSettings.find(name)?.default;

    expect(text).toContain(`LifecycleHookName: ${defaultOf('autoscaler_launch_hook')}`);
    expect(text).toContain(`LifecycleHookName: ${defaultOf('autoscaler_terminate_hook')}`);
    const source = readFileSync(
      new URL('../../src/services/autoscaler/instance/capacity-publisher.ts', import.meta.url),
      'utf8',
    );
    expect(source).toContain("{ namespace: 'Bunraku', name: 'CapacityUsed' }");
    expect(text).toMatch(/Namespace: Bunraku\n\s+MetricName: CapacityUsed/);
  });
});

describe('the configuration for Terraform', () => {
  interface Configuration {
    readonly resource: Readonly<Record<string, Readonly<Record<string, readonly Data[]>>>>;
    readonly variable: Data;
  }
  let text: string;
  let configuration: Configuration;
  beforeAll(async () => {
    text = read('aws.tf');
    configuration = (await parseTerraform('aws.tf', text)) as unknown as Configuration;
  });

  test('is parsed by the code of Terraform, which finds mistakes', async () => {
    expect(Object.keys(configuration.resource)).toContain('aws_autoscaling_group');
    await expect(parseTerraform('aws.tf', `${text}\nresource {`)).rejects.toThrow(
      'Unclosed configuration block',
    );
  });

  test('refers to nothing that is not there', () => {
    const resources = Object.entries(configuration.resource).flatMap(([type, named]) =>
      Object.keys(named).map((name) => `${type}.${name}`),
    );
    const used = [...text.matchAll(/\b(?:(aws_\w+\.\w+)|var\.(\w+))/g)].map(
      ([, resource, name]) => resource ?? `var.${name}`,
    );
    const known = new Set([
      ...resources,
      ...Object.keys(configuration.variable).map((name) => `var.${name}`),
    ]);
    const data = new Set(['aws_partition.this', 'aws_region.this', 'aws_caller_identity.this']);

    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((name) => !known.has(name) && !data.has(name))).toEqual([]);
  });

  test('has the hooks, the metric, the rights and the user data of the template for CloudFormation', () => {
    const other = read('aws.yaml');
    const hooksIn = (all: string) =>
      [...all.matchAll(/bunraku-(?:launch|terminate)\b/g)].map(([hook]) => hook);
    const rightsIn = (all: string) =>
      [...all.matchAll(/(?:autoscaling|cloudwatch|sts):[A-Z]\w+/g)].map(([right]) => right).sort();
    const commandsIn = (all: string) =>
      [...all.matchAll(/- (\[(?:sh|chmod|systemctl), .*\])$/gm)].map(([, line]) => line);

    expect(hooksIn(text)).toEqual(hooksIn(other));
    expect(rightsIn(text)).toEqual(rightsIn(other));
    expect(commandsIn(text)).toEqual(commandsIn(other));
    expect(commandsIn(text)).toHaveLength(6);
    expect(text).toMatch(/namespace += "Bunraku"\n\s+metric_name = "CapacityUsed"/);
  });
});

describe('the unit for systemd', () => {
  test('is one that systemd would run', () => {
    // The program it starts is not installed here.
    writeFileSync(
      join(base, 'bunraku-autoscaled.service'),
      read('bunraku-autoscaled.service').replaceAll('/usr/local/sbin/bunraku-autoscaled', '/bin/true'),
    );

    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', join(base, 'bunraku-autoscaled.service')],
      {
        encoding: 'utf8',
      },
    );

    expect([status, stderr.split('\n').filter((line) => line.includes('bunraku-autoscaled'))]).toEqual([
      0,
      [],
    ]);
  });

  test('is installed by user data with the program that it runs', () => {
    const [, program = ''] = /^ExecStart=(\S+) start$/m.exec(read('bunraku-autoscaled.service')) ?? [];

    expect(read('cloud-init.yaml')).toContain(`'bunraku autoscaler template systemd-script > ${program}'`);
    expect(read('bunraku-autoscaled.service')).toContain(`ExecStop=${program} stop`);
  });
});

describe('user data', () => {
  test('is a mapping that cloud-init understands', () => {
    const text = read('cloud-init.yaml');
    expect(text.startsWith('#cloud-config\n')).toBe(true);
    expect(Object.keys(yamlToData(parseYaml(text)) as Data)).toEqual(['write_files', 'runcmd']);
  });

  test.skipIf(!isThere(cloudInit))('is valid for cloud-init (needs Debian package cloud-init)', () => {
    const words = ['schema', '--config-file', join(templates, 'cloud-init.yaml')];
    expect(execFileSync(cloudInit, words, { encoding: 'utf8' })).toContain('Valid');
  });

  test('is the same in the template for CloudFormation', () => {
    const { runcmd } = yamlToData(parseYaml(read('cloud-init.yaml'))) as { readonly runcmd: unknown };
    const inside = /Fn::Sub: \|\n([^]*?)\n {2}Group:/.exec(read('aws.yaml'))?.[1] ?? '';
    const indent = /^ */.exec(inside)?.[0].length ?? 0;
    const userData = inside
      .split('\n')
      .map((line) => line.slice(indent))
      .join('\n');

    expect((yamlToData(parseYaml(userData)) as { readonly runcmd: unknown }).runcmd).toEqual(runcmd);
  });
});

describe.skipIf(!isThere(client))('the manifests for Kubernetes', () => {
  test('are a resource of a kustomization, which puts namespace, image and settings into them', () => {
    writeFileSync(join(base, 'compile-servers.yaml'), read('kubernetes.yaml'));
    const kustomization = {
      resources: ['compile-servers.yaml'],
      namespace: 'puppet',
      images: [{ name: 'bunraku', newName: 'registry.example.com/bunraku', newTag: '1' }],
      configMapGenerator: [
        {
          name: 'bunraku-compile-server',
          behavior: 'merge',
          literals: ['PRIMARY=https://primary.example.com:8140'],
        },
      ],
    };
    writeFileSync(join(base, 'kustomization.yaml'), JSON.stringify(kustomization));

    const built = execFileSync(client, ['kustomize', base], { encoding: 'utf8' });

    expect(built).toContain('image: registry.example.com/bunraku:1');
    expect(built).toContain('PRIMARY: https://primary.example.com:8140');
    const objects = built.split('\n---\n').map((text) => yamlToData(parseYaml(text)) as Data);
    const clusterWide = ['APIService', 'ClusterRole', 'ClusterRoleBinding'];
    const namespaces = objects
      .filter(({ kind }) => !clusterWide.includes(String(kind)))
      .map(({ metadata }) => (metadata as Data)['namespace']);
    expect(new Set(namespaces)).toEqual(new Set(['puppet']));
    const [deployment] = objects.filter(({ kind }) => kind === 'Deployment');
    const spec = (deployment ?? {})['spec'] as Data;
    expect(spec['replicas']).toBeUndefined();
  });

  test('name options that the command has, and the metric that the primary answers', () => {
    const text = read('kubernetes.yaml');
    for (const [, option = ''] of text.matchAll(/- --([a-z-]+)=/g))
      if (option !== 'run') expect(allSettings.find(option.replaceAll('-', '_')), option).toBeDefined();
    expect(text).toContain('metric: { name: bunraku_demand_workers }');
    expect(text).toContain(allSettings.find('autoscaler_pod_selector')?.default?.replace('=', ': '));
    expect(text).toContain(
      `mountPath: ${allSettings.find('identity_token_file')?.default?.replace('/token', '')}`,
    );
  });
});

type Properties = Parameters<typeof problemsOf>[1];

/** What is wrong with an object by the specification of CloudFormation; functions of templates are taken for any value. */
function problemsOf(
  database: SpecDatabase,
  properties: Readonly<Record<string, { readonly type: unknown; readonly required?: boolean }>>,
  value: Data,
  path = '',
): string[] {
  const missing = Object.entries(properties).flatMap(([name, { required }]) =>
    required === true && !(name in value) ? [`${path}${name} is missing`] : [],
  );
  const wrong = Object.entries(value).flatMap(([name, content]) => {
    const property = properties[name];
    if (property === undefined) return [`${path}${name} is not known`];
    return typeProblems(database, property.type as SpecType, content, `${path}${name}`);
  });
  return [...wrong, ...missing].sort();
}

interface SpecType {
  readonly type: string;
  readonly element?: SpecType;
  readonly types?: readonly SpecType[];
  readonly reference?: { readonly $ref: string };
}

function typeProblems(database: SpecDatabase, type: SpecType, value: unknown, path: string): string[] {
  if (isFunction(value)) return [];
  switch (type.type) {
    case 'array':
      if (!Array.isArray(value)) return [`${path} is no list`];
      return value.flatMap((item, index) =>
        typeProblems(database, type.element ?? { type: 'json' }, item, `${path}.${index}`),
      );
    case 'ref': {
      if (typeof value !== 'object' || value === null) return [`${path} is no mapping`];
      const { properties } = database.get('typeDefinition', type.reference as never) as {
        readonly properties: Properties;
      };
      return problemsOf(database, properties, value as Data, `${path}.`);
    }
    case 'union': {
      const each = (type.types ?? []).map((one) => typeProblems(database, one, value, path));
      return each.some((problems) => problems.length === 0) ? [] : (each[0] ?? []);
    }
    case 'string':
      return typeof value === 'string' ? [] : [`${path} is no string`];
    case 'integer':
    case 'number':
      return /^\d+(\.\d+)?$/.test(String(value)) ? [] : [`${path} is no number`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path} is no boolean`];
    default:
      return [];
  }
}

function isFunction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const [name = '', ...others] = Object.keys(value);
  return others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
}

/** Names in `Ref`, `Fn::GetAtt` and `Fn::Sub`. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, content]) => {
    if (name === 'Ref') return [String(content)];
    if (name === 'Fn::GetAtt') return [String((content as readonly unknown[])[0])];
    if (name === 'Fn::Sub')
      return [...String(content).matchAll(/\$\{([A-Za-z:]+)(?:\.\w+)?\}/g)].map(([, one = '']) => one);
    return referencesIn(content);
  });
}
