/** The code as a compile server has it: what the primary's storage commits. */

import { remoteSource } from '../../services/filesync/index.ts';
import type { Foundation } from '../foundation.ts';
import type { PrimaryLink } from '../infrastructure/primary-link.ts';
import type { ServedPart } from '../served-part.ts';
import type { Code } from './code.ts';
import { followCode } from './followed-code.ts';

export interface MemberCode extends ServedPart {
  /** What agents would have to wait for; `undefined` when there is code and the primary was asked for newer. */
  readonly obstacle: string | undefined;
  /** What was live before is live again, whether or not the primary is there. */
  restore(): Promise<void>;
  /** Follows the primary from now on. */
  follow(): void;
  stop(): Promise<void>;
}

/** How long a primary that does not answer may keep a server with code of its own from serving. */
const catchUpPatienceMs = 10_000;

export function openMemberCode(foundation: Foundation, code: Code, primary: PrimaryLink): MemberCode {
  const { client, ...served } = followCode(foundation, code, remoteSource(primary));
  let hasAsked = false;
  return {
    ...served,
    get obstacle() {
      // Also of one that was a compile server until now: it would go on with code that gets older.
      if (!client.isEntitled) return notEntitled;
      return hasAsked && code.versions.environments().length > 0 ? undefined : 'code from the primary';
    },
    restore: () => client.restore(),
    follow() {
      client.start();
      // Before agents are let in: what was deployed while this server was away.
      void client.firstAttempt(catchUpPatienceMs).then(() => {
        hasAsked = true;
      });
    },
    stop: () => client.stop(),
  };
}

const notEntitled =
  'rights: the primary does not know this node as a compile server. Pin it to the group PE Master of the classifier, ' +
  "let it join with a token ('bunraku infrastructure token' on the primary), or sign a request that has pp_auth_role; " +
  'docs/membership.md names every way';
