/** Renders a configuration of HAProxy. */

export interface HaproxyOptions {
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  /** `ADDRESS:PORT` for agents. */
  readonly bind: string;
  /** Brokers of the orchestrator; absent where there are none. */
  readonly pcp?: { readonly bind: string; readonly port: number };
  /** `ADDRESS:PORT` of HAProxy's own statistics page. */
  readonly stats?: string;
  /** Agents at the same time; HAProxy needs two file descriptors for each. 20,000 when absent. */
  readonly maxConnections?: number;
}

/**
 * A complete `haproxy.cfg`.
 *
 * TLS is passed through, because the servers must see the agents' certificates. A server counts as healthy while
 * `/status/v1/simple` answers 200; the check does not verify certificates, as it sends nothing and trusts nothing.
 */
export function renderHaproxyConfig(options: HaproxyOptions): string {
  const sections = [renderDefaults(options.maxConnections ?? 20_000), agents(options)];
  if (options.pcp !== undefined) sections.push(brokers(options, options.pcp));
  if (options.stats !== undefined) sections.push(statistics(options.stats));
  return `${sections.join('\n\n')}\n`;
}

function renderDefaults(maxConnections: number): string {
  return `global
    log stdout format raw daemon notice
    maxconn ${maxConnections}

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
const checks = 'check check-ssl verify none inter 500ms fastinter 200ms fall 2 rise 1';

function agents(options: HaproxyOptions): string {
  const servers = options.servers.map(
    ({ host, port }, index) =>
      `    server compile${index + 1} ${host}:${port} ${checks} on-marked-down shutdown-sessions`,
  );
  return `listen puppet
    bind ${options.bind}
    balance leastconn
    option httpchk
    http-check send meth GET uri /status/v1/simple ver HTTP/1.1 hdr Host haproxy-check
    http-check expect status 200
${servers.join('\n')}`;
}

function brokers(options: HaproxyOptions, pcp: { readonly bind: string; readonly port: number }): string {
  const servers = options.servers.map(
    ({ host, port }, index) => `    server compile${index + 1} ${host}:${pcp.port} ${checks} port ${port}`,
  );
  return `listen pcp-broker
    bind ${pcp.bind}
    balance leastconn
    # Connections of pxp-agents are quiet for minutes: two minutes between pings, six until a broker gives up.
    timeout tunnel 15m
    timeout client 15m
    timeout server 15m
    option httpchk
    http-check send meth GET uri /status/v1/simple ver HTTP/1.1 hdr Host haproxy-check
    http-check expect status 200
${servers.join('\n')}`;
}

function statistics(bind: string): string {
  return `listen statistics
    bind ${bind}
    mode http
    stats enable
    stats uri /
    stats refresh 5s`;
}
