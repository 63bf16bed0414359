/** A certificate authority of real OpenSSL, for tests with real handshakes. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

export class OpensslAuthority {
  readonly certificate: string;
  private readonly directory = mkdtempSync(join(tmpdir(), 'bunraku-authority-'));

  /**
   * @param parent - signs this authority's certificate; it signs its own when absent
   * @param existing - an authority that there is already, to sign with its key; nothing is made then
   */
  constructor(name: string, parent?: OpensslAuthority, existing?: TestCertificate) {
    writeFileSync(this.file('index.txt'), '');
    writeFileSync(this.file('serial'), '01\n');
    writeFileSync(this.file('crlnumber'), '01\n');
    writeFileSync(this.file('ca.conf'), this.configuration());
    this.createKey('ca');
    if (existing !== undefined) this.adopt(existing);
    else if (parent === undefined) this.signItself(name);
    else this.adopt(parent.issue(name, ['basicConstraints=critical,CA:true', 'subjectKeyIdentifier=hash']));
    this.certificate = this.read('ca.pem');
  }

  /** @param extensions - lines of an OpenSSL extension section */
  issue(certname: string, extensions: readonly string[] = [], days = 30): TestCertificate {
    this.createKey(certname);
    writeFileSync(
      this.file('ext.conf'),
      ['[ext]', 'keyUsage=digitalSignature,keyCertSign,cRLSign', ...extensions, ''].join('\n'),
    );
    this.openssl(
      'req',
      '-new',
      '-key',
      `${certname}.key`,
      '-subj',
      `/CN=${certname}`,
      '-out',
      `${certname}.csr`,
    );
    const validity =
      days > 0 ? ['-days', String(days)] : ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'];
    this.ca(
      '-in',
      `${certname}.csr`,
      '-out',
      `${certname}.pem`,
      '-extfile',
      'ext.conf',
      '-extensions',
      'ext',
      ...validity,
    );
    return { certificate: this.read(`${certname}.pem`), privateKey: this.read(`${certname}.key`) };
  }

  revoke(certname: string): void {
    this.ca('-revoke', `${certname}.pem`);
  }

  crl(): string {
    this.ca('-gencrl', '-out', 'crl.pem');
    return this.read('crl.pem');
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private signItself(name: string): void {
    this.openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      'ca.key',
      '-subj',
      `/CN=${name}`,
      '-days',
      '30',
      '-out',
      'ca.pem',
    );
  }

  private adopt({ certificate, privateKey }: TestCertificate): void {
    writeFileSync(this.file('ca.pem'), certificate);
    writeFileSync(this.file('ca.key'), privateKey);
  }

  private ca(...args: readonly string[]): void {
    this.openssl('ca', '-config', 'ca.conf', '-batch', '-notext', ...args);
  }

  private createKey(name: string): void {
    this.openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
  }

  private openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.directory, stdio: 'pipe' });
  }

  private file(name: string): string {
    return join(this.directory, name);
  }

  private read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  private configuration(): string {
    return `[ca]
default_ca = test
[test]
database = index.txt
new_certs_dir = .
serial = serial
crlnumber = crlnumber
certificate = ca.pem
private_key = ca.key
default_md = sha256
default_crl_days = 30
policy = any
unique_subject = no
[any]
commonName = supplied
`;
  }
}
