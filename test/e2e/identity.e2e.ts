/** Compile servers that join by a proof of identity, with a metadata service and a Security Token Service that stand for AWS's. */

import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { FakeAws } from '../support/aws/fake-aws.ts';
import { FakeDocuments, identityDocument } from '../support/aws/fake-documents.ts';
import { FakeMetadata } from '../support/aws/fake-metadata.ts';
import { instanceCaller } from '../support/aws/fake-sts.ts';
import { JoiningServer, run, stateOf } from './support/joining.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const account = '123456789012';
const [first, second, third] = ['i-0aaaaaaaaaaaaaaa1', 'i-0aaaaaaaaaaaaaaa2', 'i-0aaaaaaaaaaaaaaa3'] as const;
const node = 'identity.e2e.test';
const usersPort = await freePort();
const policyFile = join(tmpdir(), `bunraku-policy-${process.pid}.yaml`);
const certificatesFile = join(tmpdir(), `bunraku-documents-${process.pid}.pem`);

const group = 'puppet-compile';
const aws = await FakeAws.start();
const machines: FakeMetadata[] = [];
const documents = new FakeDocuments();
const primary = instanceCaller(account, 'puppet-primary', 'i-0aaaaaaaaaaaaaaa0');
aws.add(primary);
aws.autoScaling.addGroup(group, { launch: 'bunraku-launch', terminate: 'bunraku-terminate' });
// As AWS's own programs find them: the servers inherit it.
Object.assign(process.env, aws.variables(primary));
const common =
  'action: sign, extensions: { pp_auth_role: pe_compiler }, alt_names: ["DNS:puppet", "DNS:localhost"]';
writeFileSync(
  policyFile,
  `rules:\n${['aws', 'aws-document']
    .map(
      (provider) =>
        `  - { name: ${provider}, ${common}, identity: { provider: ${provider}, account: "${account}", group: ${group} } }\n`,
    )
    .join('')}`,
);
writeFileSync(certificatesFile, documents.certificate);

scenarios('A machine of a platform', () => {
  const site = runningSite(
    {
      compileServers: 0,
      settings: {
        allow_subject_alt_names: false,
        allow_authorization_extensions: false,
        console_services_port: usersPort,
        autoscaler_driver: 'aws',
        autoscaler_group: group,
        signing_policy: policyFile,
        aws_document_certificates: certificatesFile,
      },
    },
    (prepared) => prepared.stage({ 'manifests/site.pp': "notify { 'hello': }\n" }),
  );
  afterAll(async () => {
    await Promise.all([aws.close(), ...machines.map((machine) => machine.close())]);
    documents.close();
    for (const file of [policyFile, certificatesFile]) rmSync(file, { force: true });
  });

  test('joins by the role of its instance, is in service when it serves, and passes the proof of another on', async () => {
    const { machine, server: one } = await instance(site(), first, account);
    const joined = await one.join('--ca-fingerprint', fingerprintOf(site()), '--identity', 'aws');

    expect(joined.output).toContain(`${one.certname} has joined https://localhost:`);
    expect(aws.stsHosts).toEqual(['sts.eu-west-1.amazonaws.com']);
    expect(await stateOf(site(), one.certname)).toBe('joining');
    expect(aws.autoScaling.instances.get(first)?.state).toBe('Pending:Wait');
    await one.start();
    await until('it is known to run', async () => (await stateOf(site(), one.certname)) === 'running');
    await until('it is in service', () => aws.autoScaling.instances.get(first)?.state === 'InService');
    await site().agent(node, one.port).runsCleanly(2);

    const other = await instance(site(), second, account);
    const words = ['--ca-fingerprint', fingerprintOf(site()), '--identity', 'aws'];
    const through = await other.server.joinThrough(one.url, ...words);
    expect(through.output).toContain(`${other.server.certname} has joined https://localhost:`);

    endOf(machine, first);
    await until('it has left', () => !one.isRunning);
    expect(aws.autoScaling.instances.has(first)).toBe(false);
    expect(await stateOf(site(), one.certname)).toBeUndefined();
    expect(aws.autoScaling.effects.map(({ action }) => action)).toEqual([
      'complete CONTINUE Pending:Wait',
      'complete CONTINUE Terminating:Wait',
    ]);
    expect(aws.cloudWatch.data).toContainEqual(
      expect.objectContaining({
        namespace: 'Bunraku',
        name: 'CapacityUsed',
        dimensions: { AutoScalingGroupName: group },
      }),
    );
  });

  test('that has lost its key gets another certificate, and the one before is revoked', async () => {
    const { server: one } = await instance(site(), second, account);
    const before = serialOf(one);
    rmSync(one.sslDirectory, { recursive: true });

    const joined = await one.join('--ca-fingerprint', fingerprintOf(site()), '--identity', 'aws');

    expect(joined.output).toContain('has joined');
    expect(serialOf(one)).not.toBe(before);
    expect(revokedSerials(join(site().installation.primaryDirectory, 'ca', 'ca_crl.pem'))).toContain(before);
  });

  test('of another account is refused in words, which the primary shows and records', async () => {
    const { server: stranger } = await instance(site(), third, '999999999999');

    const refused = await stranger.join('--ca-fingerprint', fingerprintOf(site()), '--identity', 'aws');

    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain("account is '999999999999'");
    // Status is computed once a second at most.
    const primary = site().installation.primaryDirectory;
    const status = async () => (await run(site(), ['infrastructure', 'status', '--data', primary])).output;
    await expect.poll(status).toContain('A proof of identity was refused within the last hour');
    const record = await run(site(), ['activity', '--data', site().installation.primaryDirectory]);
    expect(record.output).toContain(`Refused a proof of identity (aws) for ${third}`);
    expect(
      site()
        .logOf('primary')
        .map((line) => JSON.stringify(line))
        .join(),
    ).not.toContain('Signature=');
  });

  test('without a way to STS joins by its document, and its second claim is held until it is forgotten', async () => {
    const { machine, server: one } = await instance(site(), third, account);
    machine.values.set(
      'dynamic/instance-identity/rsa2048',
      documents.sign(identityDocument(account, third, new Date())),
    );
    const words = [
      '--ca-fingerprint',
      fingerprintOf(site()),
      '--identity',
      'aws-document',
      '--waitforcert',
      '1s',
    ];
    expect((await one.join(...words)).output).toContain('has joined');
    rmSync(one.sslDirectory, { recursive: true });

    const again = one.join(...words);
    const data = ['--data', site().installation.primaryDirectory];
    await until('it is held', async () =>
      (await run(site(), ['infrastructure', 'status', ...data])).output.includes('The claim is held'),
    );
    await run(site(), ['infrastructure', 'forget', one.certname, '--force', ...data]);

    expect((await again).output).toContain('has joined');
  });
});

/** A machine of the group with that ID, as its metadata service describes it. */
async function instance(site: Site, instanceId: string, owner: string) {
  const caller = instanceCaller(owner, 'puppet-compile-server', instanceId);
  aws.add(caller);
  if (!aws.autoScaling.instances.has(instanceId)) aws.autoScaling.launch(group, instanceId);
  const machine = await FakeMetadata.start();
  machines.push(machine);
  machine.describe(instanceId, 'eu-west-1', 'puppet-compile-server', caller);
  // Of the programs that are started from now on.
  process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = machine.endpoint;
  return { machine, server: await JoiningServer.create(site, `${instanceId}.compute.test`) };
}

/** The group wants fewer instances. */
function endOf(machine: FakeMetadata, instanceId: string): void {
  const found = aws.autoScaling.instances.get(instanceId);
  if (found !== undefined) aws.autoScaling.end(found);
  machine.values.set('meta-data/autoscaling/target-lifecycle-state', 'Terminated');
}

function fingerprintOf(site: Site): string {
  const file = join(site.installation.primaryDirectory, 'ca', 'ca_crt.pem');
  return new X509Certificate(readFileSync(file)).fingerprint256;
}

function serialOf({ certname, sslDirectory }: JoiningServer): string {
  return new X509Certificate(readFileSync(join(sslDirectory, 'certs', `${certname}.pem`))).serialNumber;
}

function revokedSerials(file: string): string {
  return execFileSync('openssl', ['crl', '-in', file, '-noout', '-text'], { encoding: 'utf8' });
}
