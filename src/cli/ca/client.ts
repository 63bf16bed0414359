/** The CA's HTTP API, as actions use it, wherever the authority is. */

export interface CaReply {
  readonly status: number;
  readonly body: string;
}

export interface CaClient {
  /** @param path - below `/puppet-ca/v1/`, percent-encoded */
  request(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: string): Promise<CaReply>;
  close(): Promise<void>;
}

/** The path of one node's status, request or certificate. */
export function nodePath(kind: string, certname: string): string {
  return `${kind}/${encodeURIComponent(certname)}`;
}
