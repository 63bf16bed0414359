/**
 * Debian's Chromium as people have it. What drives browsers in tests watches every request, which makes a page slower, and a browser
 * that has to overlook a certificate keeps nothing in its cache: this one trusts the certificate's key.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import WebSocket from 'ws';

const calmMs = 700;

interface Answer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

interface Cookie {
  readonly name: string;
  readonly value: string;
}

export class BareBrowser {
  private readonly child: ChildProcess;
  private readonly directory: string;
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;

  private constructor(child: ChildProcess, directory: string, socket: WebSocket) {
    this.child = child;
    this.directory = directory;
    this.socket = socket;
    socket.on('message', (data) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.waiting.get(answer.id)?.(answer);
    });
  }

  /** @param origin - of the server whose certificate is trusted */
  static async start(origin: string): Promise<BareBrowser> {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-chromium-'));
    const child = spawn('/usr/bin/chromium', [
      '--headless',
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${directory}`,
      `--ignore-certificate-errors-spki-list=${await keyDigest(origin)}`,
    ]);
    const socket = new WebSocket(await debuggingAddress(child), { perMessageDeflate: false });
    await once(socket, 'open');
    return new BareBrowser(child, directory, socket);
  }

  /** A profile with an empty cache, which is logged in. @returns its name */
  async newProfile(origin: string, cookies: readonly Cookie[]): Promise<string> {
    const { browserContextId } = await this.send('Target.createBrowserContext');
    const own = cookies.map(({ name, value }) => ({
      name,
      value,
      url: origin,
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    }));
    await this.send('Storage.setCookies', { browserContextId, cookies: own });
    return String(browserContextId);
  }

  async closeProfile(browserContextId: string): Promise<void> {
    await this.send('Target.disposeBrowserContext', { browserContextId });
  }

  /**
   * Opens an address in a new window of 1280 by 800, and closes it.
   *
   * @param script - runs in the page before its own, and leaves a promise at `globalThis.benchAnswer`
   * @param slowdown - of the processor
   * @returns what the promise has
   */
  async open(
    browserContextId: string,
    {
      address,
      script,
      slowdown,
    }: { readonly address: string; readonly script: string; readonly slowdown: number },
  ): Promise<unknown> {
    const size = { width: 1280, height: 800 };
    const { targetId } = await this.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      newWindow: true,
      ...size,
    });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = async (method: string, params: object) => await this.send(method, params, String(sessionId));
    await page('Page.enable', {});
    await page('Page.addScriptToEvaluateOnNewDocument', { source: script });
    await page('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page('Page.navigate', { url: address });
    const { result } = await page('Runtime.evaluate', {
      expression: 'globalThis.benchAnswer',
      awaitPromise: true,
      returnByValue: true,
    });
    // What the page does next, and its end, are not to delay the next one.
    await sleep(calmMs);
    await this.send('Target.closeTarget', { targetId });
    await sleep(calmMs);
    return (result as { readonly value?: unknown }).value;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'close');
    await this.send('Browser.close');
    await ended;
    this.socket.terminate();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async send(
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.lastId;
    const answered = new Promise<Answer>((resolve) => {
      this.waiting.set(id, resolve);
    });
    this.socket.send(
      JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }),
    );
    const { error, result } = await answered;
    this.waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }
}

async function debuggingAddress({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('Chromium has no output');
  const lines = createInterface(stderr);
  return await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    lines.on('close', () => reject(new Error('Chromium did not start')));
  });
}

/** SHA-256 of the public key of a server's certificate, base64. */
async function keyDigest(origin: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket: TLSSocket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
