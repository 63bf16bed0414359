/** Sessions of the console, as users and tokens know them. */

import type { ConsoleSessions } from '../../services/console/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';

export function consoleSessions({
  providerLogins,
  providers,
  sessions,
  store,
  users,
}: Rbac): ConsoleSessions {
  return {
    login: (...asked) => sessions.login(...asked),
    resetPassword: (...asked) => users.reset(...asked),
    identify: (...asked) => sessions.identify(...asked),
    beginOf: (text) => sessions.beginOf(text),
    endOf: (text) => sessions.endOf(text),
    touch: (text) => sessions.touch(text),
    end: (...asked) => sessions.end(...asked),
    describe: (userId) => sessions.describe(userId),
    providers: {
      offered: () => providerLogins.offered(),
      begin: (...asked) => providerLogins.begin(...asked),
      finish: (...asked) => providerLogins.finish(...asked),
      logOut: (...asked) => providerLogins.logOut(...asked),
      samlMetadata: () => providers.samlMetadata(),
    },
    loginText: () => store.findText('disclaimer'),
  };
}
