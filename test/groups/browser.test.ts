import { runTogether } from '../support/run-together.ts';

// One file, in a group because groups start first: it takes longest.
await runTogether('test/pages/browser.test.ts');
