/** What tests use of `oidc-provider`, which has no types of its own. */

declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export interface ProviderContext {
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
    };
    status: number;
    body: unknown;
    respond: boolean;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface ProviderClient {
    backchannelLogout(accountId: string, sessionId: string): Promise<void>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { find(id: string): Promise<ProviderClient | undefined> };
    readonly Grant: new (properties: {
      readonly clientId: string;
      readonly accountId: string;
    }) => Grant;
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
