import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's space for young objects at its first size (`--min-semi-space-size`), before the
 * program's files are loaded: uploads need memory rather than time (decision 0013). Node runs this
 * first (`--import`). On the command line V8 ignores the flag.
 */
setFlagsFromString('--semi-space-growth-factor=1');
