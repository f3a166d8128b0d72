/**
 * Loaded first into every test file, through NODE_OPTIONS (.taprc). Keeps tap from recording the modules that
 * test files and their children load: nothing reads the records, and to take them Node has to compile
 * every module anew.
 */
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';

const recording = /\/@tapjs\/processinfo\/[\w/]+\/import\.mjs$/;

const hooks = registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!recording.test(specifier)) return nextResolve(specifier, context);
    hooks.deregister();
    return { url: 'data:text/javascript,', shortCircuit: true };
  },
});

// With a record in place tap begins none, and does not pass its hook on to children.
Object.assign(globalThis, {
  [Symbol.for('@tapjs/processinfo.ProcessInfoNodeData')]: { files: [], sources: {} },
});

// Paths in .taprc are relative to the project's folder; children may run elsewhere.
delete process.env.NODE_OPTIONS;
const { NODE_COMPILE_CACHE } = process.env;
if (NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = resolve(NODE_COMPILE_CACHE);
