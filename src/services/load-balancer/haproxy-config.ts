/** Renders a configuration of HAProxy. */

export interface BalancedServer {
  /** `compile1`, `compile2`, ... when absent. */
  readonly name?: string;
  readonly host: string;
  readonly port: number;
}

export interface HaproxyOptions {
  /** None where a follower adds them. */
  readonly servers: readonly BalancedServer[];
  /** `ADDRESS:PORT` for agents. */
  readonly bind: string;
  /** Brokers of the orchestrator; absent where there are none. */
  readonly pcp?: { readonly bind: string; readonly port: number };
  /** `ADDRESS:PORT` of HAProxy's own statistics page. */
  readonly stats?: string;
  /** The servers' port for health checks over plain HTTP; that for agents, over TLS, when absent. */
  readonly healthPort?: number;
  /** Tells servers the addresses of agents (PROXY protocol); their `trusted_proxies` must name this HAProxy. */
  readonly sendProxy?: boolean;
  /** The path of HAProxy's socket for commands; absent without `haproxy follow`. */
  readonly socket?: string;
  /** Agents at the same time; HAProxy needs two file descriptors for each. 20,000 when absent. */
  readonly maxConnections?: number;
}

const usualConnections = 20_000;
/** For ports, servers, health checks and sockets for commands. */
const otherDescriptors = 300;

/** @param descriptors - that HAProxy may have open @returns how many connections that is enough for, 20,000 at most */
export function connectionsFor(descriptors: number): number {
  return Math.min(usualConnections, Math.max(1, Math.floor((descriptors - otherDescriptors) / 2)));
}

/**
 * A complete `haproxy.cfg`.
 *
 * TLS is passed through, because the servers must see the agents' certificates. A server counts as healthy while
 * `/status/v1/simple` answers 200.
 */
export function renderHaproxyConfig(options: HaproxyOptions): string {
  const sections = [renderDefaults(options), agents(options)];
  if (options.pcp !== undefined) sections.push(brokers(options, options.pcp));
  if (options.stats !== undefined) sections.push(statistics(options.stats));
  return `${sections.join('\n\n')}\n`;
}

function renderDefaults({ maxConnections = usualConnections, socket }: HaproxyOptions): string {
  return `global
    log stdout format raw daemon notice
    maxconn ${maxConnections}${socket === undefined ? '' : `\n    stats socket ${socket} mode 600 level admin`}

defaults
    log global
    mode tcp
    option dontlognull
    # A server that dies is left at once; the request goes to another one.
    option redispatch
    retries 3
    timeout connect 5s
    # Compiling a large catalog takes a while, during which the connection is silent.
    timeout client 10m
    timeout server 10m
    timeout check 3s`;
}

/** Fast enough to leave a killed server within a second, slow enough to cost nothing. */
const pace = 'inter 500ms fastinter 200ms fall 2 rise 1';

export interface ServerKeywords {
  readonly kind: 'agents' | 'brokers';
  /** For agents; health checks of brokers go there, too. */
  readonly port: number;
  readonly healthPort?: number | undefined;
  readonly sendProxy?: boolean | undefined;
}

/** What follows a server's address, in the configuration and in `add server` for a running HAProxy. */
export function serverKeywords({ kind, port, healthPort, sendProxy }: ServerKeywords): string {
  // A broken server's connections are ended, so that agents find another one; brokers' connections last.
  const leaving = kind === 'agents' ? ' on-marked-down shutdown-sessions' : '';
  // Brokers of Puppet Enterprise do not read PROXY headers. Checks of an explicit port come without the header.
  const header = kind === 'agents' && sendProxy === true ? 'send-proxy-v2 ' : '';
  if (healthPort !== undefined) return `${header}check port ${healthPort} ${pace}${leaving}`;
  // The check does not verify certificates: it sends nothing and trusts nothing.
  return `${header}check check-ssl verify none ${kind === 'brokers' ? `port ${port} ` : ''}${pace}${leaving}`;
}

function nameOf({ name }: BalancedServer, index: number): string {
  return name ?? `compile${index + 1}`;
}

function healthCheck(path: string): string {
  return `    option httpchk
    # A server that is about to stop gets no new connections, and finishes what it has begun.
    http-check disable-on-404
    http-check connect default
    http-check send meth GET uri ${path} ver HTTP/1.1 hdr Host haproxy-check
    http-check expect status 200
`;
}

function agents({ bind, healthPort, sendProxy, servers }: HaproxyOptions): string {
  const lines = servers.map(
    (server, index) =>
      `    server ${nameOf(server, index)} ${server.host}:${server.port} ${serverKeywords({ kind: 'agents', port: server.port, healthPort, sendProxy })}\n`,
  );
  return `listen puppet
    bind ${bind}
    balance leastconn
${healthCheck('/status/v1/simple?while_stopping=404')}${lines.join('')}`.trimEnd();
}

function brokers(
  { healthPort, servers }: HaproxyOptions,
  pcp: { readonly bind: string; readonly port: number },
): string {
  const lines = servers.map(
    (server, index) =>
      `    server ${nameOf(server, index)} ${server.host}:${pcp.port} ${serverKeywords({ kind: 'brokers', port: server.port, healthPort })}\n`,
  );
  return `listen pcp-broker
    bind ${pcp.bind}
    balance leastconn
    # Connections of pxp-agents are quiet for minutes: two minutes between pings, six until a broker gives up.
    timeout tunnel 15m
    timeout client 15m
    timeout server 15m
    # A broker that has lost its orchestrator says so: it would turn agents away, and looks least loaded.
${healthCheck('/status/v1/simple/broker-service')}    # Nor does a server without a broker get pxp-agents.
    http-check connect port ${pcp.port}
${lines.join('')}`.trimEnd();
}

function statistics(bind: string): string {
  return `listen statistics
    bind ${bind}
    mode http
    stats enable
    stats uri /
    stats refresh 5s`;
}
