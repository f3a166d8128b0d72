import type { Organisation } from '../../domain/organisation/state.ts';
import type { Person } from '../../domain/person/state.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { Reply } from '../reply.ts';
import type { ConsoleSite } from './console-site.ts';

/** A person who is signed in, as of this request. */
export interface Viewer {
  readonly person: Person;
  readonly organisation: Organisation;
  /** Token of the session's forms. */
  readonly formToken: string;
}

interface ConsoleRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** Address of the root, relative to the page's own. */
  readonly root: string;
  readonly site: ConsoleSite;
  /** Token of the session's cookie; null without one. It may belong to an ended session. */
  readonly token: string | null;
  /** Events of a person without a session name no person. */
  readonly meta: EventMeta;
}

export interface ViewRequest extends ConsoleRequest {
  readonly viewer: Viewer;
}

export interface FormRequest extends ViewRequest {
  readonly form: URLSearchParams;
  /** Sentence to show above a form that is shown again; null otherwise. */
  readonly note: string | null;
}

export interface CallRequest extends ConsoleRequest {
  /** Parsed JSON of the body; its form is not checked. */
  readonly body: unknown;
  /** Counts an attempt that failed, by address. Throws `RateLimitExceeded`. */
  readonly failed: () => Promise<void>;
}

/** A page for everybody. */
interface OpenPage<Deps> {
  readonly kind: 'open';
  readonly path: string;
  handle(request: ConsoleRequest & { readonly viewer: Viewer | null }, deps: Deps): Promise<Reply>;
}

/** A page for people of an organisation; `role`: the least that they need. */
interface ViewPage<Deps> {
  readonly kind: 'view';
  readonly path: string;
  readonly role: 'owner' | 'member';
  handle(request: ViewRequest, deps: Deps): Promise<Reply>;
}

/** A form that is sent. It is handled only with the right origin and the session's token. */
interface FormRoute<Deps> {
  readonly kind: 'form';
  readonly path: string;
  readonly role: 'owner' | 'member';
  /** True if it also works for a suspended organisation. */
  readonly whenSuspended?: boolean;
  handle(request: FormRequest, deps: Deps): Promise<Reply>;
  /** Shows the form again with what was typed, after the session had ended. Changes nothing. */
  again(request: FormRequest, deps: Deps): Promise<Reply>;
}

/** A call by a script of an open page, with the right origin and a body of JSON. */
interface CallRoute<Deps> {
  readonly kind: 'call';
  readonly path: string;
  handle(request: CallRequest, deps: Deps): Promise<Reply>;
}

export type ConsoleRoute<Deps = never> =
  | OpenPage<Deps>
  | ViewPage<Deps>
  | FormRoute<Deps>
  | CallRoute<Deps>;
