/**
 * What the primary's ports show to their clients: a certificate for each service, apart from the node's own. They are
 * renewed before they end and replaced when somebody revokes them, while the ports stay open.
 */

import type { HttpServer, RevokedByIssuer, TlsMaterial } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { SslFiles } from '../../platform/x509/index.ts';
import {
  type CertificateAuthority,
  ensureServerCertificate,
  ensureServiceCertificate,
  type ServerCertificateRequest,
  serviceCertname,
  type Term,
} from '../../services/ca/index.ts';
import { readOwnCertificate } from '../../services/node-certificate/index.ts';
import { readTlsMaterial, type TlsFiles } from './tls-files.ts';

/** What takes new certificates and lists. */
export type TlsReloader = Pick<HttpServer, 'reloadTls' | 'setRevocationLists'>;

/** A certificate of this server. */
export interface OwnCertificate extends Term {
  /** The certname: the node's, or that of a service. */
  readonly name: string;
  readonly serial: string;
  readonly endsAt: Date;
}

/** A handshake with RSA-4096 takes the main thread 5 ms, one with this 0.03 ms. */
const portKey = { kind: 'ec', curve: 'P-256' } as const;

export class ServiceCertificates {
  private readonly settings: Settings;
  private readonly ca: CertificateAuthority;
  private readonly log: Logger;
  private readonly ports: (readonly [service: string, port: TlsReloader])[] = [];
  private readonly known = new Map<string, OwnCertificate>();

  constructor(settings: Settings, ca: CertificateAuthority, log: Logger) {
    this.settings = settings;
    this.ca = ca;
    this.log = log;
  }

  /** By name. */
  get all(): readonly OwnCertificate[] {
    return [...this.known.values()];
  }

  /** When the first of them ends. */
  get firstEnd(): Date | undefined {
    return this.all.map(({ endsAt }) => endsAt).sort((a, b) => a.getTime() - b.getTime())[0];
  }

  /** The node's own, which its agent and its commands show. */
  async ensureNode(): Promise<TlsFiles> {
    const { keyLength } = this.settings;
    const request = this.request({ kind: 'rsa', bits: keyLength });
    const files = await ensureServerCertificate(this.ca, request, new Date());
    return this.note(this.settings.certname, files);
  }

  /** Those of a service, made when there are none. @param service - `server`, `puppetdb` */
  async ensure(service: string): Promise<TlsFiles> {
    const files = await ensureServiceCertificate(this.ca, service, this.request(portKey), new Date());
    return this.note(serviceCertname(service, this.settings.certname), files);
  }

  /** Keeps an open port current; several may show the certificate of one service. */
  attach(service: string, port: TlsReloader): void {
    this.ports.push([service, port]);
  }

  setRevocationLists(lists: readonly RevokedByIssuer[]): void {
    for (const [, port] of this.ports) port.setRevocationLists(lists);
  }

  /** Whether one of them was revoked: it has to be replaced at once. */
  isAnyRevoked(): boolean {
    return this.all.some(({ serial }) => this.ca.isRevoked(serial));
  }

  /** Replaces what ends soon, was revoked or lacks a name. */
  async maintain(): Promise<void> {
    await this.ensureNode();
    for (const service of new Set(this.ports.map(([name]) => name))) {
      const name = serviceCertname(service, this.settings.certname);
      const before = this.known.get(name)?.serial;
      const files = await this.ensure(service);
      if (this.known.get(name)?.serial === before) continue;
      const material = await this.material(files);
      for (const [shown, port] of this.ports) if (shown === service) port.reloadTls(material);
      this.log.info({ certname: name }, 'replaced the certificate of a port');
    }
  }

  /** Reads everything again, as SIGHUP asks. */
  async reload(): Promise<void> {
    for (const [service, port] of this.ports) port.reloadTls(await this.material(await this.ensure(service)));
  }

  private async material(files: TlsFiles): Promise<TlsMaterial> {
    return { ...(await readTlsMaterial(files)), crl: this.ca.crl.pem };
  }

  private request(key: ServerCertificateRequest['key']) {
    const { certname, dnsAltNames, sslDir } = this.settings;
    return { sslDir, certname, altNames: dnsAltNames.join(','), key, log: this.log };
  }

  private async note(name: string, files: SslFiles): Promise<TlsFiles> {
    const { notAfter, notBefore, serial } = await readOwnCertificate(files.certificate);
    this.known.set(name, { kind: 'certificate', name, serial, startsAt: notBefore, endsAt: notAfter });
    return files;
  }
}
