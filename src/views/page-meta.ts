import { z } from 'zod';
import { count } from './output-fields.ts';

const page = z.object({
  page: z.int().min(1),
  limit: z.int().min(1).max(100),
  total: count.meta({ description: 'number of items on all pages' }),
});

/** Paging of lists of documents, deliveries and API keys. */
export const pageMeta = page.meta({ id: 'PageMeta' });

/** Paging of lists of runs and decisions. */
export const countedPageMeta = page.extend({ totalPages: count }).meta({ id: 'CountedPageMeta' });
