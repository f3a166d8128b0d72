import type { KeyedRoute, OpenRoute } from '../route.ts';
import { getProof } from './get-proof.ts';
import { healthz } from './healthz.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { postProof } from './post-proof.ts';
import { readyz } from './readyz.ts';
import { verifyPage } from './verify-page.ts';
import { verifyTransaction } from './verify-transaction.ts';

/** Every endpoint that needs a key; served under both bases. */
export const keyedRoutes: readonly KeyedRoute[] = [postProof, getProof, listWorkspaces];

/** Every endpoint that needs none. */
export const openRoutes: readonly OpenRoute[] = [verifyTransaction, verifyPage, healthz, readyz];
