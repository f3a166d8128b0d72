/**
 * Loaded first into every test file, through NODE_OPTIONS (.taprc): makes processes start faster, and keeps
 * temporary files in memory.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { readFileSync, statfsSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

/**
 * tap hooks into the loading of modules, to record which ones a test file and its children load, and to
 * mock some. Nothing reads the records, no test mocks modules, and with such a hook Node has to compile every
 * module anew.
 */
function skipLoaderHooks(): void {
  const ofTap = /\/@tapjs\/(processinfo|mock)\/[\w/]+\/import\.mjs$/;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const [, name] = ofTap.exec(specifier) ?? [];
      if (name === undefined) return nextResolve(specifier, context);
      // The last of them.
      if (name === 'processinfo') hooks.deregister();
      return { url: 'data:text/javascript,', shortCircuit: true };
    },
  });
  // With a record in place tap begins none, and does not pass its hook on to children.
  Object.assign(globalThis, {
    [Symbol.for('@tapjs/processinfo.ProcessInfoNodeData')]: { files: [], sources: {} },
  });
}

/**
 * tap follows every promise of a test file, to name the subtest that an uncaught error comes from. That takes
 * more processor time than most tests. Without it such an error still fails its file, with its stack.
 */
function followNoPromises(): void {
  const inert: AsyncHook = { enable: () => inert, disable: () => inert };
  asyncHooks.createHook = () => inert;
  syncBuiltinESMExports();
}

/** Paths in .taprc are relative to the project's folder; children may run elsewhere. */
function settleEnvironment(): void {
  delete process.env.NODE_OPTIONS;
  const { NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = resolve(NODE_COMPILE_CACHE);
}

const memory = '/dev/shm';
const neededBytes = 6 * 1_024 ** 3;

/** Copying databases and syncing files takes several times as long on a disk. */
function moveToMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoomInMemory()) return;
  process.env.TMPDIR_ON_DISK = tmpdir();
  process.env.TMPDIR = memory;
}

function hasRoomInMemory(): boolean {
  try {
    // Programs run from there too.
    const isThere = /^\S+ \/dev\/shm tmpfs rw(?!\S*\bnoexec\b)/m;
    if (!isThere.test(readFileSync('/proc/mounts', 'utf8'))) return false;
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
}

skipLoaderHooks();
followNoPromises();
settleEnvironment();
moveToMemory();
