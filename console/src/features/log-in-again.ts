/** What needs a login of the last minutes: the page asks for the password, then goes on with what was meant. */

import { createContext, useContext } from 'react';
import { ApiError } from '../api/client.ts';

/** Asks for the password. @returns whether somebody has logged in */
export type AskForLogin = () => Promise<boolean>;

export const LoginContext = createContext<AskForLogin>(async () => false);

/** Does something, and once more after a new login where the server wants one. */
export function useRecentLogin(): <T>(work: () => Promise<T>) => Promise<T> {
  const askForLogin = useContext(LoginContext);
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isTooOld(error) || !(await askForLogin())) throw error;
      return await work();
    }
  };
}

function isTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'bunraku.console/login-too-old';
}
