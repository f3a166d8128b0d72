import type { Asking } from './contract.ts';

/** Built from the modules of `ops verify`. */
export declare const asking: Asking;
