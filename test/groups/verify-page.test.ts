import { runTogether } from '../support/run-together.ts';

// One file, in a group because groups start first: it takes long.
await runTogether('test/pages/verify-page.test.ts');
