/** A request as handlers see it; what few of them need is made when it is asked for. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import type { BodyBudget } from './body-budget.ts';
import { clientKey } from './client-key.ts';
import { type BodyLimits, readBody } from './request-body.ts';
import type { HttpRequest, Identity } from './route.ts';
import type { TransferBudget } from './transfer-budget.ts';

export interface RequestParts {
  readonly message: IncomingMessage;
  readonly reply: ServerResponse;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly identity: Identity;
  readonly budget: BodyBudget;
  readonly transfers: TransferBudget;
  readonly limits: Omit<BodyLimits, 'memory' | 'beginTransfer'> & { readonly handlerTimeoutMs: number };
}

export class IncomingRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly identity: Identity;
  private readonly parts: RequestParts;
  private controller: AbortController | undefined;
  private wholeBody: Promise<Buffer> | undefined;
  private releaseMemory: (() => void) | undefined;
  private isHandled = false;

  constructor(parts: RequestParts) {
    this.method = parts.message.method ?? 'GET';
    this.path = parts.path;
    this.query = parts.query;
    this.params = parts.params;
    this.headers = parts.message.headers;
    this.identity = parts.identity;
    this.parts = parts;
  }

  get signal(): AbortSignal {
    this.controller ??= this.watch();
    return this.controller.signal;
  }

  // Arrows: handlers take requests apart.
  readonly body = (): Promise<Buffer> => {
    const memory = { hold: (bytes: number) => this.holdMemory(bytes) };
    const { identity, limits, message, transfers } = this.parts;
    const beginTransfer = (drop: () => void) => transfers.begin(clientKey(identity), drop);
    this.wholeBody ??= readBody(message, { ...limits, memory, beginTransfer });
    return this.wholeBody;
  };

  readonly stream = (): Readable => this.parts.message;

  /** When the request has been handled. */
  release(): void {
    this.isHandled = true;
    this.giveMemoryBack();
  }

  private giveMemoryBack(): void {
    this.releaseMemory?.();
    this.releaseMemory = undefined;
  }

  private async holdMemory(bytes: number): Promise<void> {
    this.giveMemoryBack();
    const { budget, identity } = this.parts;
    this.releaseMemory = await budget.reserve(clientKey(identity), bytes, this.signal);
    if (this.isHandled) this.giveMemoryBack();
  }

  private watch(): AbortController {
    const controller = new AbortController();
    const { reply, limits } = this.parts;
    const onTime = (): void => {
      controller.abort(
        new ServiceError('timeout', `The request took longer than ${limits.handlerTimeoutMs / 1000} s`),
      );
    };
    const timer = setTimeout(onTime, limits.handlerTimeoutMs).unref();
    const onClose = (): void => {
      clearTimeout(timer);
      if (!reply.writableFinished) controller.abort(new ServiceError('timeout', 'The client went away'));
    };
    if (reply.closed) onClose();
    else reply.once('close', onClose);
    return controller;
  }
}
