export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
};

/** As the API of a cluster tells failures. */
export function failure(code: number, message: string): Answer {
  const reason = reasons[code] ?? 'InternalError';
  return {
    status: code,
    body: { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', message, reason, code },
  };
}
