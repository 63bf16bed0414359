/** A primary and a compile server whose catalogs are looked at all the time: is each made of one version? */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import type { HttpClient } from '../../src/platform/http-client/index.ts';
import { askForCatalog } from '../e2e/support/catalog-request.ts';
import { until } from '../e2e/support/until.ts';
import { stageAnew, stageVersion, versionOf } from '../support/versioned-environment.ts';

const size = { modules: 5, ballast: 40 };
const certname = 'primary.bunraku.test';

export interface Watch {
  /** Catalogs that were seen, and were of one version each. */
  catalogs: number;
  /** Requests without an answer. */
  unanswered: number;
  /** What should not have been: mixtures, errors of servers that run. */
  readonly faults: string[];
}

export class WatchedInstallation {
  readonly installation: Installation;
  readonly watch: Watch = { catalogs: 0, unanswered: 0, faults: [] };
  private readonly stopping = new AbortController();
  private operator: HttpClient | undefined;
  private watching: Promise<unknown> = Promise.resolve();

  private constructor(installation: Installation) {
    this.installation = installation;
  }

  /** @param program - a directory with `dist/`; @param project - with `examples/` */
  static async prepare(program: string, project: string): Promise<WatchedInstallation> {
    const installation = new Installation({
      directory: mkdtempSync(join(tmpdir(), 'bunraku-faults-')),
      project: program,
      node: process.execPath,
      ports: { primary: await freePort(), compileServers: [await freePort()], balancer: await freePort() },
      controlRepository: join(project, 'examples', 'control-repo'),
      autosign: [],
      settings: { compile_workers: 1 },
    });
    stageAnew(installation.stagedEnvironment, 0, size);
    return new WatchedInstallation(installation);
  }

  get urls(): readonly string[] {
    return [this.installation.primaryUrl, this.installation.compileServerUrl(0)];
  }

  async start(): Promise<void> {
    await this.installation.startPrimary();
    await this.installation.startCompileServer(0);
    this.operator = this.installation.operator();
  }

  /** Asks all servers without a pause until `stop()`. */
  beginWatching(): void {
    this.watching = Promise.all(this.urls.map((url) => this.lookAt(url)));
  }

  stage(version: number): void {
    stageVersion(this.installation.stagedEnvironment, version, size);
  }

  /** @returns status and text of the answer; status 0 when there was none */
  async commit(): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const answer = await this.client.send({
        method: 'POST',
        url: `${this.installation.primaryUrl}/file-sync/v1/commit`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'commit-all': true }),
        timeoutMs: 60_000,
      });
      return { status: answer.status, text: answer.body.toString('utf8') };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  }

  /** The version that a server serves now. @throws Error for a mixture */
  async versionAt(url: string): Promise<string | undefined> {
    const answer = await askForCatalog(this.client, url, certname).catch(() => undefined);
    return answer?.status === 200 ? versionOf(JSON.parse(answer.text), size) : undefined;
  }

  async servesEverywhere(version: number): Promise<void> {
    for (const url of this.urls)
      await until(
        `${url} serves version ${version}`,
        async () => (await this.versionAt(url)) === String(version),
      );
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    this.operator?.close();
    await this.installation.stop();
  }

  remove(): void {
    rmSync(this.installation.options.directory, { recursive: true, force: true });
  }

  private get client(): HttpClient {
    if (this.operator === undefined) throw new Error('the installation does not run yet');
    return this.operator;
  }

  private async lookAt(url: string): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const answer = await askForCatalog(this.client, url, certname).catch(() => undefined);
      if (answer === undefined || answer.status === 503) {
        this.watch.unanswered += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      } else this.examine(url, answer);
    }
  }

  private examine(url: string, { status, text }: { readonly status: number; readonly text: string }): void {
    try {
      if (status !== 200) throw new Error(`status ${status}: ${text.slice(0, 300)}`);
      versionOf(JSON.parse(text), size);
      this.watch.catalogs += 1;
    } catch (error) {
      this.watch.faults.push(`${url}: ${String(error)}`);
    }
  }
}
