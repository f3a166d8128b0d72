import type { Organisation } from '../../domain/organisation/state.ts';
import type { Person } from '../../domain/person/state.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import type { ConsoleSite } from './console-site.ts';

/** A person who is signed in, as of this request. */
export interface Viewer {
  readonly person: Person;
  readonly organisation: Organisation;
  /** Token of the session's forms. */
  readonly formToken: string;
  /** Log position that everything shown to the viewer includes. */
  readonly position: number;
}

export interface ConsoleRequest {
  readonly ctx: Context;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** Address of the root, relative to the page's own. */
  readonly root: string;
  readonly site: ConsoleSite;
  /** Token of the session's cookie; null without one. It may belong to an ended session. */
  readonly token: string | null;
  /** All cookies, as sent. */
  readonly cookies: string | undefined;
  /** Counts an attempt that failed, by address. Throws `RateLimitExceeded`. */
  readonly failed: () => Promise<void>;
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
  /** True if it is refused while the organisation is suspended, as downloads are. */
  readonly needsActive?: boolean;
  handle(request: ViewRequest, deps: Deps): Promise<Reply>;
}

/** A form that is sent. It is handled only with the right origin and the session's token. */
interface FormRoute<Deps> {
  readonly kind: 'form';
  readonly path: string;
  readonly role: 'owner' | 'member';
  /** True if it also works for a suspended organisation. */
  readonly whenSuspended?: boolean;
  /** Maximum of its waits for others than the database, by default 0. */
  readonly otherWaitMs?: number | undefined;
  /** True if it is refused without API access, as the call of a key would be. */
  readonly needsApiAccess?: boolean;
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

export interface OrderRequest extends ViewRequest {
  /**
   * The person as of now; null without a session. Refuses as the route does before the body: with
   * SCOPE_NOT_PERMITTED and COMPANY_SUSPENDED. A route that receives the body itself must ask it
   * once the body has come.
   */
  readonly viewerNow: () => Promise<Viewer | null>;
  /** Parsed JSON of the body, whose form is not checked; undefined if the route receives it itself. */
  readonly body: unknown;
}

/** A call by a script of a page for people, with the right origin and the session's token. */
interface OrderRoute<Deps> {
  readonly kind: 'order';
  readonly path: string;
  readonly role: 'owner' | 'member';
  /** Default: JSON of at most 256 KiB. */
  readonly receives?: 'json' | 'itself';
  handle(request: OrderRequest, deps: Deps): Promise<Reply>;
}

export type ConsoleRoute<Deps = never> =
  | OpenPage<Deps>
  | ViewPage<Deps>
  | FormRoute<Deps>
  | CallRoute<Deps>
  | OrderRoute<Deps>;

/** Routes of one kind. */
export type RouteOf<Kind extends ConsoleRoute['kind'], Deps> = Extract<
  ConsoleRoute<Deps>,
  { readonly kind: Kind }
>;
