/** The thread of a broker: its port, its clients and its way to orchestrators. */

import { readRules, TrustedProxies } from '../../../platform/http/index.ts';
import {
  type LogFields,
  LogFile,
  type Logger,
  type LogLevel,
  renderPuppetServerLine,
} from '../../../platform/log/index.ts';
import { type Incoming, notify, serveRequests } from '../../../platform/threads/index.ts';
import { renderAccess } from '../access-line.ts';
import { Broker } from '../broker.ts';
import { largeMessageLength } from '../controller/agent-controller.ts';
import { ControllerDialler } from '../controller-dialler.ts';
import { BrokerListener } from '../listener.ts';
import { MessageRules } from '../rules.ts';
import {
  type BrokerMetrics,
  type BrokerNotice,
  type BrokerRequest,
  type BrokerThreadOptions,
  type ControllerNames,
  type RulesFile,
  revive,
} from './thread-messages.ts';

const stateIntervalMs = 1000;
/** For connections to end after they were told to close. */
const closingMs = 2000;

class BrokerService {
  private readonly options: BrokerThreadOptions;
  private readonly broker: Broker;
  private readonly listener: BrokerListener;
  private readonly diallers: readonly ControllerDialler[];
  private readonly timer: NodeJS.Timeout;
  private local: ReturnType<Broker['attach']> | undefined;
  private unread = { bytes: 0 };

  constructor(options: BrokerThreadOptions) {
    this.options = options;
    const log = noticeLogger(options);
    const access =
      options.accessLogFile === '' ? undefined : new LogFile(options.accessLogFile, 'pcp_broker_access_log');
    this.broker = new Broker({
      ...options,
      rules: rulesOf(options.rules),
      log,
      ...(access === undefined ? {} : { onAccess: (entry) => access.write(renderAccess(entry, new Date())) }),
      expectsControllers: options.controllerUrls.length > 0,
      nowMs: () => performance.now(),
    });
    this.listener = new BrokerListener({
      ...options,
      broker: this.broker,
      log,
      trustedProxies: new TrustedProxies(options.trustedProxies),
    });
    this.diallers = options.controllerUrls.map(
      (url) => new ControllerDialler({ ...options, url, log, attach: (link) => this.attach(link) }),
    );
    this.timer = setInterval(() => this.tellState(), stateIntervalMs);
  }

  async start(): Promise<void> {
    const port = await this.listener.listen(this.options.port, this.options.host);
    this.broker.start();
    for (const dialler of this.diallers) dialler.start();
    this.tellState();
    tell({ kind: 'listening', port });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const dialler of this.diallers) dialler.stop();
    this.broker.stop();
    const timer = setTimeout(() => this.broker.cut(), closingMs);
    await this.listener.close(closingMs);
    clearTimeout(timer);
  }

  /** @returns the answer, if any */
  async carryOut(
    request: Exclude<BrokerRequest, { kind: 'serve' | 'stop' }>,
  ): Promise<BrokerMetrics | undefined> {
    switch (request.kind) {
      case 'tls':
        this.listener.reloadTls(request.material);
        for (const dialler of this.diallers) dialler.setCredentials(request.material);
        return undefined;
      case 'lists':
        this.listener.setRevocationLists(revive(request.lists));
        return undefined;
      case 'rules':
        this.broker.setRules(rulesOf(request.rules));
        return undefined;
      case 'attach':
        this.attachLocal(request.controller);
        return undefined;
      case 'detach':
        this.local?.lost();
        this.local = undefined;
        return undefined;
      case 'message':
        this.local?.message(request.text);
        return undefined;
      case 'taken':
        this.unread.bytes = Math.max(0, this.unread.bytes - request.bytes);
        return undefined;
      case 'metrics':
        return this.metrics();
      case 'retire':
        await this.broker.retire(request.withinMs);
        return undefined;
      default:
        return request satisfies never;
    }
  }

  private attach(link: Parameters<Broker['attach']>[0]): ReturnType<Broker['attach']> {
    const attached = this.broker.attach(link);
    this.tellState();
    return {
      message: (text) => attached.message(text),
      lost: () => {
        attached.lost();
        this.tellState();
      },
    };
  }

  private attachLocal({ aliases, uri }: ControllerNames): void {
    this.local?.lost();
    const unread = { bytes: 0 };
    this.unread = unread;
    this.local = this.attach({
      uri,
      aliases,
      get bufferedBytes() {
        return unread.bytes;
      },
      send(text) {
        if (text.length <= largeMessageLength) {
          unread.bytes += text.length;
          tell({ kind: 'message', data: text });
          return;
        }
        const data = new TextEncoder().encode(text);
        unread.bytes += data.length;
        tell({ kind: 'message', data }, [data.buffer]);
      },
    });
  }

  private metrics(): BrokerMetrics {
    const { external, heapTotal, heapUsed } = process.memoryUsage();
    const memory = { heapUsedBytes: heapUsed, heapBytes: heapTotal, externalBytes: external };
    return { timers: this.broker.metrics(), memory };
  }

  private tellState(): void {
    const { connections, controllerNames: controllers, state } = this.broker;
    tell({ kind: 'state', state, connections, controllers });
  }
}

function tell(notice: BrokerNotice, transferred: readonly ArrayBuffer[] = []): void {
  notify(notice, transferred);
}

function rulesOf(file: RulesFile | undefined): MessageRules {
  return new MessageRules(
    file === undefined ? { rules: [], allowHeaderCertInfo: false } : readRules(file.text, file.file),
  );
}

/** To the log of the server, and to `pcp-broker.log` if it is set. */
function noticeLogger({ isDebugging, logFile }: BrokerThreadOptions, own = {}): Logger {
  const file = logFile === '' ? undefined : new LogFile(logFile, 'pcp_broker_log');
  const write =
    (level: LogLevel): Logger['info'] =>
    (fields, message) => {
      if (level === 'debug' && !isDebugging) return;
      const all = cloneable({ ...own, ...fields });
      tell({ kind: 'log', level, fields: all, message });
      const line = { level, time: new Date().toISOString(), ...all, msg: message };
      file?.write(renderPuppetServerLine(JSON.stringify(line)));
    };
  const logger: Logger = {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
    isWriting: (level) => level !== 'debug' || isDebugging,
    child: () => logger,
  };
  return logger;
}

/** Errors hold whatever they want to. */
function cloneable(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? plain(value) : value]),
  );
}

function plain({ message, name, stack }: Error): object {
  return { type: name, message, stack };
}

/** One broker in the thread's life. */
class BrokerRequests {
  private service: BrokerService | undefined;
  private onStopped: (() => void) | undefined;

  async answer(request: BrokerRequest): Promise<BrokerMetrics | undefined> {
    if (request.kind === 'serve') await this.serve(request.options);
    else if (request.kind === 'stop') {
      await this.service?.stop();
      this.onStopped?.();
    } else return this.service?.carryOut(request);
    return undefined;
  }

  private async serve(options: BrokerThreadOptions): Promise<void> {
    const stopped = new Promise<void>((resolve) => (this.onStopped = resolve));
    this.service = new BrokerService(options);
    await this.service.start();
    await stopped;
  }
}

const requests = new BrokerRequests();
serveRequests<BrokerRequest>({
  take: (incoming: Incoming<BrokerRequest>) => void incoming.answer(requests.answer(incoming.request)),
});
