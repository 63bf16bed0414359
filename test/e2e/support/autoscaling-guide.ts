/** The installation of the article "Autoscaling Puppet compile masters with AWS", up to the first instance. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostedSite } from './hosted-site.ts';
import { until } from './until.ts';

interface Group {
  readonly id: string;
  readonly name: string;
  readonly rule: unknown;
}

const domain = 'compute.test';
export const [mom, balancer, compile, node] = ['mom', 'nlb', 'ip-10-0-0-1', 'web01'].map(
  (name) => `${name}.${domain}`,
) as [string, string, string, string];
/** Whose certificate the scripts show. */
export const bundle = `aws-lambda.${domain}`;

export class AutoscalingGuide {
  readonly site = new HostedSite([mom, balancer, compile, node], `puppet,${balancer}`);
  private readonly authority = join(this.ssl, 'certs', 'ca.pem');
  private readonly groups = `https://${mom}:4433/classifier-api/v1/groups`;

  /** Of the primary. */
  get ssl(): string {
    return join(this.site.dataOf(mom), 'puppet', 'ssl');
  }

  /** "Configure Puppet Server autosign": by pattern. */
  async startPrimary(): Promise<void> {
    const { site } = this;
    site.network.create();
    const data = site.dataOf(mom);
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'autosign.conf'), `*.${domain}\n`);
    writeFileSync(join(data, 'ca.conf'), 'certificate-authority: { allow-subject-alt-names: true }\n');
    await site.startPrimary("notify { 'from the pool': }\n", {
      autosign: join(data, 'autosign.conf'),
      allow_subject_alt_names: false,
      allow_authorization_extensions: false,
    });
  }

  /** "Create dummy certificate files". @returns what the command says */
  async makeBundle() {
    const words = ['ca', 'generate', '--certname', bundle, '--data', this.site.dataOf(mom)];
    return await this.site.command(mom, words);
  }

  /** "Whitelisting the dummy certificate", in the console's groups. */
  async allowBundle(): Promise<void> {
    const authority = 'puppet_enterprise::profile::certificate_authority';
    const puppetDb = 'puppet_enterprise::profile::puppetdb';
    await this.change('PE Certificate Authority', {
      config_data: { [authority]: { client_whitelist: [bundle] } },
    });
    await this.change('PE PuppetDB', { classes: { [puppetDb]: { whitelisted_certnames: [bundle] } } });
  }

  /** "Configure compile masters auto-classified into PE Master group". @returns the group and its rule */
  async classifyByRole() {
    const { rule } = await this.find('PE Master');
    const wanted = ['or', rule, ['=', ['trusted', 'extensions', 'pp_role'], 'awsloadbalancer']];
    return { group: await this.change('PE Master', { rule: wanted }), wanted };
  }

  /** @param settings - of all compile servers */
  async setServers(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.change('PE Master', { classes: { 'puppet_enterprise::profile::master': { settings } } });
  }

  /** "Create a RBAC token". */
  async makeToken(): Promise<string> {
    const data = ['--data', this.site.dataOf(mom)];
    await this.site.command(mom, [
      'user',
      'create',
      'scripts',
      '--role',
      'operators',
      '--no-password',
      ...data,
    ]);
    const { output } = await this.site.command(mom, ['user', 'token', 'scripts', ...data]);
    return output.trim().split('\n').at(-1) ?? '';
  }

  async jobsOf(token: string): Promise<readonly unknown[]> {
    const header = ['--header', `X-Authentication: ${token}`];
    const words = [...this.trust, ...header, `https://${mom}:8143/orchestrator/v1/jobs`];
    return (JSON.parse(await this.site.curl(mom, words)) as { readonly items: readonly unknown[] }).items;
  }

  /** HAProxy in the place of the cloud's balancer, and what keeps it to the servers that there are. */
  async startBalancer(): Promise<void> {
    const { site, ssl } = this;
    const socket = join(site.directory, 'haproxy.sock');
    const own = ['--socket', socket, '--pcp-port', 'none'];
    const file = join(site.directory, 'haproxy.cfg');
    const config = await site.command(balancer, ['haproxy', 'config', ...own, '--maxconn', '100']);
    writeFileSync(file, config.output);
    site.start(balancer, ['haproxy', '-db', '-f', file]);
    await until('HAProxy takes commands', () => existsSync(socket));
    const identity = ['--primary', mom, '--ssldir', ssl, '--certname', mom];
    const follow = ['haproxy', 'follow', ...own, ...identity];
    site.start(balancer, [process.execPath, site.program, ...follow], 'follower');
  }

  async serversKnown(): Promise<string> {
    const words = ['infrastructure', 'status', '--data', this.site.dataOf(mom)];
    return (await this.site.command(mom, words)).output;
  }

  /** With the bundle, as the scripts ask. @returns the body and the status */
  async asBundle(...words: readonly string[]): Promise<string> {
    const key = join(this.ssl, 'private_keys', `${bundle}.pem`);
    const identity = ['--cert', join(this.ssl, 'certs', `${bundle}.pem`), '--key', key];
    return await this.site.curl(compile, [
      ...this.trust,
      ...identity,
      '--write-out',
      '%{http_code}',
      ...words,
    ]);
  }

  private get trust(): readonly string[] {
    return ['--silent', '--cacert', this.authority];
  }

  private async find(wanted: string): Promise<Partial<Group>> {
    const groups = JSON.parse(await this.asOperator(this.groups)) as readonly Group[];
    return groups.find(({ name }) => name === wanted) ?? {};
  }

  /** As the console does it. */
  private async change(name: string, delta: unknown): Promise<unknown> {
    const { id } = await this.find(name);
    const json = ['--header', 'Content-Type: application/json', '--data', JSON.stringify(delta)];
    return JSON.parse(await this.asOperator(`${this.groups}/${id}`, '--fail', ...json));
  }

  private async asOperator(...words: readonly string[]): Promise<string> {
    const key = join(this.ssl, 'private_keys', `${mom}.pem`);
    const identity = ['--cert', join(this.ssl, 'certs', `${mom}.pem`), '--key', key];
    return await this.site.curl(mom, [...this.trust, ...identity, ...words]);
  }
}
