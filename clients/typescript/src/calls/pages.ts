import type { Client, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { ProofmarkError } from '../errors.ts';
import type { paths } from '../generated/openapi.ts';
import { pagedLists } from '../generated/paths.ts';
import type { Api } from './api.ts';

type GetPath = PathsWithMethod<paths, 'get'>;
type Got<Path extends GetPath> = MethodResponse<Client<paths>, 'get', Path>;

/** An item of the list at this path; never if there is no list. */
export type ListItem<Path extends GetPath> =
  Got<Path> extends { readonly data: readonly (infer Item)[] } ? Item : never;

/** Paths that answer with a list. */
export type ListPath = {
  [Path in GetPath]: [ListItem<Path>] extends [never] ? never : Path;
}[GetPath];

export type ListOptions<Path extends ListPath> = MaybeOptionalInit<paths[Path], 'get'>;
export type ListInit<Path extends ListPath> =
  RequiredKeysOf<ListOptions<Path>> extends never
    ? [options?: ListOptions<Path>]
    : [options: ListOptions<Path>];

/** Members that name an item, in lists that shift when items are added at their beginning. */
const idOf: { readonly [Path in ListPath]?: keyof ListItem<Path> } = {
  '/documents': 'proofId',
  '/agent/runs': 'runId',
  '/api-keys': 'id',
  '/webhooks/{id}/deliveries': 'deliveryId',
  '/log/checkpoints': 'number',
};

/**
 * All items of a list, requested page by page while they are iterated over. An item that comes again
 * because the list has shifted is left out. Decisions of agents have no id, so they may come again.
 */
export async function* pagesOf<Path extends ListPath>(
  api: Api,
  path: Path,
  options: ListOptions<Path> | undefined,
): AsyncGenerator<ListItem<Path>, void, undefined> {
  const get = api.GET as unknown as (path: string, options: object) => Promise<GotPage>;
  const { params = {}, ...rest } = (options ?? {}) as GivenOptions;
  const most = pagedLists[path];
  const { page: first = 1, limit = most, ...filters } = params.query ?? {};
  const named = String(idOf[path] ?? '');
  const seen = new Set<unknown>();
  let repeated = 0;
  for (let page = Number(first); ; page += 1) {
    const query = most !== undefined ? { ...filters, page, limit } : filters;
    const { body } = await get(path, { ...rest, params: { ...params, query } });
    if (!Array.isArray(body.data)) throw unexpected('the answer has no list');
    let isNew = body.data.length === 0;
    for (const item of body.data) {
      const id = item?.[named];
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      isNew = true;
      yield item as ListItem<Path>;
    }
    repeated = isNew ? 0 : repeated + 1;
    if (repeated > mostRepeated) throw unexpected('the list repeats its items for ever');
    const { meta } = body;
    if (meta === undefined || body.data.length === 0 || page * meta.limit >= meta.total) return;
  }
}

/** Pages in sequence with known items alone. A list shifts by as many if items are added quickly. */
const mostRepeated = 10;

function unexpected(message: string): ProofmarkError {
  return new ProofmarkError('UNEXPECTED_ANSWER', message);
}

interface GotPage {
  readonly body: {
    readonly data: readonly Readonly<Record<string, unknown>>[];
    readonly meta?: { readonly limit: number; readonly total: number };
  };
}

interface GivenOptions {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> };
}
