import { Buffer as Portable } from 'buffer/';

/** The build gives it to modules that use the global `Buffer` of Node. */
export const Buffer = Portable;
