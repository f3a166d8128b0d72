import { runTogether } from '../support/run-together.ts';

// In a group because groups start first: a browser takes long.
await runTogether('test/pages/console-*.test.ts');
