/**
 * Runs before every test file, through NODE_OPTIONS (.taprc). It makes processes start faster, and puts
 * temporary files into memory.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { readFileSync, statfsSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';

const noWarning = '--disable-warning=ExperimentalWarning';

/**
 * Disables tap's hooks into the loading of modules. They record loaded modules and mock some; nothing here
 * uses either. With such hooks Node compiles every module anew, in each thread.
 */
function skipLoaderHooks(): void {
  const ofTap = /\/@tapjs\/(processinfo|mock)\/[\w/]+\/import\.mjs$/;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (ofTap.test(specifier)) return { url: 'data:text/javascript,', shortCircuit: true };
      // tap names its hooks several times; the test file is loaded after all of them.
      if (specifier.endsWith('.test.ts')) hooks.deregister();
      return nextResolve(specifier, context);
    },
  });
  // If a record exists, tap makes none and does not pass its hook on to children.
  Object.assign(globalThis, {
    [Symbol.for('@tapjs/processinfo.ProcessInfoNodeData')]: { files: [], sources: {} },
  });
  // Threads would load them again: they inherit the arguments of this process.
  const { Worker } = workerThreads;
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, { execArgv: [noWarning], ...options });
    }
  };
  syncBuiltinESMExports();
}

/**
 * Disables tap's tracking of promises, which names the subtest of an uncaught error. Tracking takes more
 * processor time than most tests. Without it, such an error still fails its file, with its stack.
 */
function followNoPromises(): void {
  const inert: AsyncHook = { enable: () => inert, disable: () => inert };
  asyncHooks.createHook = () => inert;
  syncBuiltinESMExports();
}

/** Makes paths of .taprc absolute, since children may run in other folders. */
function settleEnvironment(): void {
  delete process.env.NODE_OPTIONS;
  const { NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = resolve(NODE_COMPILE_CACHE);
}

const memory = '/dev/shm';
const neededBytes = 6 * 1_024 ** 3;

/** On a disk, copying databases and syncing files takes several times as long. */
function moveToMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoomInMemory()) return;
  process.env.TMPDIR_ON_DISK = tmpdir();
  process.env.TMPDIR = memory;
}

function hasRoomInMemory(): boolean {
  try {
    // Programs are executed there too, so `noexec` rules it out.
    const isThere = /^\S+ \/dev\/shm tmpfs rw(?!\S*\bnoexec\b)/m;
    if (!isThere.test(readFileSync('/proc/mounts', 'utf8'))) return false;
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
}

// Types are stripped in place, so lines and columns are those of the sources.
process.setSourceMapsEnabled(false);
skipLoaderHooks();
followNoPromises();
settleEnvironment();
moveToMemory();
