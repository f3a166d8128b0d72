import { Refusal } from '../../domain/refusal.ts';
import { OffloadRefused } from '../offload/offload-refused.ts';
import { sentence } from './console-page.ts';

/** A paged list as the API answers it. */
export interface Listed<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly total: number };
}

interface ListedOrNote<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** Sentence about filters that the API refuses; null if it accepts them. */
  readonly note: string | null;
}

/** A page of a list, or the reason why the API refuses its filters. */
export async function listedOrNote<Item>(
  list: () => Promise<Listed<Item>>,
): Promise<ListedOrNote<Item>> {
  try {
    const { data, meta } = await list();
    return { items: data, total: meta.total, note: null };
  } catch (error) {
    const message = refusedInput(error);
    if (message === null) throw error;
    return { items: [], total: 0, note: sentence(message) };
  }
}

/** Message of a refusal of the input itself, also by a worker thread; null for all other errors. */
function refusedInput(error: unknown): string | null {
  if (error instanceof OffloadRefused) {
    return error.reply.status === 400 ? error.reply.body.message : null;
  }
  if (!(error instanceof Refusal)) return null;
  return error.code === 'INVALID_REQUEST' || error.code === 'INVALID_WORKSPACE'
    ? error.message
    : null;
}
