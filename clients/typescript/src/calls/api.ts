import createClient, {
  type Client,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { ProofmarkError } from '../errors.ts';
import { requireUnchanged } from '../files/require-unchanged.ts';
import type { paths } from '../generated/openapi.ts';
import { rootPaths } from '../generated/paths.ts';
import { Deadline } from './deadline.ts';
import { errorOf } from './error-of.ts';
import { isIdempotent } from './idempotent.ts';
import type { RateLimits } from './rate-limits.ts';
import { type Patience, repeat } from './repeat.ts';
import type { Wait } from './wait.ts';

/** A `fetch` that takes a whole request. */
export type Fetch = (request: Request) => Promise<Response>;

/** A successful answer. `body` has the type that the OpenAPI document gives the call. */
export interface Answer<Body> {
  readonly body: Body;
  readonly status: number;
  readonly headers: Headers;
}

/** Options of a call: `params` with `path`, `query` and `header`; `body`, `signal`, `parseAs`. */
type Init<Options> =
  RequiredKeysOf<Options> extends never ? [options?: Options] : [options: Options];

type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Options extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: Init<Options>
) => Promise<Answer<MethodResponse<Client<paths>, Method, Path, Options>>>;

export interface ApiDeps {
  /** Address of the service, without a trailing slash. */
  readonly server: string;
  /** Base of the keyed calls: `/api/v1`, or its mirror for pages. */
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
  readonly patience: Patience;
  readonly limits: RateLimits;
  readonly wait: Wait;
  /** Longest time until an answer begins, and longest pause within it, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Every operation of the API, typed by its OpenAPI document. A call resolves with a successful
 * answer, and repeats as the advice about errors says; otherwise it rejects with a ProofmarkError, or
 * with the reason of its `signal`.
 */
export class Api {
  readonly #deps: ApiDeps;
  readonly #client: Client<paths>;

  readonly GET: Call<'get'> = (path, ...init) => this.#send('GET', path, init[0] as Sent);
  readonly POST: Call<'post'> = (path, ...init) => this.#send('POST', path, init[0] as Sent);
  readonly PATCH: Call<'patch'> = (path, ...init) => this.#send('PATCH', path, init[0] as Sent);
  readonly DELETE: Call<'delete'> = (path, ...init) => this.#send('DELETE', path, init[0] as Sent);

  constructor(deps: ApiDeps) {
    this.#deps = deps;
    this.#client = createClient<paths>({
      redirect: 'error',
      // Cookies of the service's own pages are no credentials of the API.
      credentials: 'omit',
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the public methods give it its type
  async #send(method: string, path: string, options: Sent = {}): Promise<Answer<any>> {
    const signal = options.signal ?? undefined;
    let isUncertain = false;
    const attempt = async () => {
      try {
        return await this.#attempt(method, path, options, signal);
      } catch (error) {
        // The answer to an earlier attempt was lost: the resource is gone.
        if (isUncertain && method === 'DELETE' && isNotFound(error)) {
          return { body: undefined, status: 204, headers: new Headers() };
        }
        isUncertain ||= error instanceof ProofmarkError && (error.status ?? 500) >= 500;
        throw error;
      }
    };
    return repeat({ method, path, signal }, attempt, this.#deps);
  }

  async #attempt(method: string, path: string, options: Sent, signal: AbortSignal | undefined) {
    const { server, base, apiKey, fetch, timeoutMs, limits } = this.#deps;
    const isRoot = rootPaths.has(path);
    const request = this.#client.request as (...args: readonly unknown[]) => Promise<Outcome>;
    const uploadMs = (fileOf(options.body)?.size ?? 0) / slowestBytesPerMs;
    const deadline = new Deadline(signal, timeoutMs + uploadMs, timeoutMs);
    let received: Response | null = null;
    try {
      const { data, error, response } = await request(method.toLowerCase(), path, {
        ...options,
        signal: deadline.signal,
        baseUrl: isRoot ? server : `${server}${base}`,
        pathSerializer,
        headers: {
          ...options.headers,
          ...(!isRoot && apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        fetch: async (asked: Request) => {
          received = await fetch(asked);
          limits.note(received.headers.get('ratelimit'));
          return deadline.guard(received, maxBytes(received, path, options));
        },
      });
      if (!response.ok) throw errorOf(response, error);
      const isEmpty = response.status === 204 && method !== 'GET';
      if (!isEmpty && isJson(options) && (typeof data !== 'object' || data === null)) {
        throw unexpected(response);
      }
      return { body: data, status: response.status, headers: response.headers };
    } catch (error) {
      deadline.end();
      signal?.throwIfAborted();
      if (error instanceof ProofmarkError) throw error;
      await requireUnchanged(fileOf(options.body));
      throw brokenCall(error, received, isIdempotent(method, path));
    }
  }
}

/** Options of any call, before its own type is known. */
interface Sent {
  readonly signal?: AbortSignal | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly parseAs?: 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';
}

function isJson({ parseAs = 'json' }: Sent): boolean {
  return parseAs === 'json';
}

/** Only contents of files are larger. A whole page of the longest names has less than 4 MB. */
const maxAnswerBytes = 33_554_432;

function maxBytes({ ok }: Response, path: string, { parseAs = 'json' }: Sent): number {
  const isFile = !['json', 'text'].includes(parseAs) && !path.startsWith('/certificates/');
  return ok && isFile ? Number.POSITIVE_INFINITY : maxAnswerBytes;
}

function fileOf(body: unknown): Blob | null {
  const { file } = (body ?? {}) as { readonly file?: unknown };
  return file instanceof Blob ? file : null;
}

interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** Bodies may arrive at the service as slowly as this: 16 kB/s. */
const slowestBytesPerMs = 16.384;

function brokenCall(
  error: unknown,
  response: Response | null,
  idempotent: boolean,
): ProofmarkError {
  if (error instanceof SyntaxError && response !== null) return unexpected(response, error);
  const advice = idempotent ? '' : '; the call may have taken effect, so look before you repeat it';
  const message = `the connection to the service failed${advice}`;
  return new ProofmarkError('CONNECTION_FAILED', message, { cause: error });
}

function unexpected({ status, headers }: Response, cause?: unknown): ProofmarkError {
  const details = { status, requestId: headers.get('x-request-id'), cause };
  return new ProofmarkError(
    'UNEXPECTED_ANSWER',
    'the answer is not the JSON of this call',
    details,
  );
}

function isNotFound(error: unknown): boolean {
  return error instanceof ProofmarkError && error.status === 404;
}

/** Fills the parameters in. A tile's address keeps its slashes. */
function pathSerializer(path: string, parameters: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(parameters[name]));
    return name === 'tile' ? value.replaceAll('%2F', '/') : value;
  });
}
