import type { Reply } from '../../reply.ts';
import { consoleHeaders } from '../console-page.ts';
import type { ConsoleRequest } from '../console-route.ts';
import type { PasskeyDeps } from '../passkeys.ts';
import { sessionCookie } from '../session-cookie.ts';
import { endSession, formToken, type Session, sessionMs, startSession } from '../sessions.ts';

/** A session that has begun. */
export interface BegunSession {
  /** Token of the session's forms. */
  readonly formToken: string;
  readonly setCookie: string;
}

/** Starts a session with a token of its own. A session that the browser had before ends. */
export async function beginSession(
  deps: PasskeyDeps,
  { site, token: former }: Pick<ConsoleRequest, 'site' | 'token'>,
  session: Session,
): Promise<BegunSession> {
  if (former !== null) await endSession(deps, former);
  const token = await startSession(deps, session);
  const setCookie = sessionCookie(token, site, sessionMs / 1_000);
  return { formToken: formToken(token), setCookie };
}

/** Starts a session, and answers a script with the token of its forms. */
export async function sessionReply(
  deps: PasskeyDeps,
  request: Pick<ConsoleRequest, 'site' | 'token'>,
  session: Session,
): Promise<Reply> {
  const { formToken: token, setCookie } = await beginSession(deps, request, session);
  return jsonReply(200, { token }, setCookie);
}

export function jsonReply(status: number, body: object, setCookie?: string): Reply {
  const cookie = setCookie === undefined ? {} : { 'Set-Cookie': setCookie };
  return { status, headers: { ...consoleHeaders, ...cookie }, body };
}

/** The answer to a script whose person is not signed in any more. */
export function sessionEnded(): Reply {
  return jsonReply(401, { message: 'the session has ended; sign in again' });
}
