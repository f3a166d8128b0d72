import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import tap, { type Test } from 'tap';
import type { ServerLimits } from '../../src/http/server.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { eventTypes } from './event-types.ts';
import { documentForm, someText } from './forms.ts';
import {
  type Answer,
  type HttpService,
  joinHttpService,
  type ServiceChanges,
  startHttpService,
} from './http-service.ts';
import { readingFrom } from './reading-from.ts';
import { createScriptedAnchoring } from './scripted-anchoring.ts';

export interface FileToUpload {
  readonly name?: string;
  readonly bytes?: Uint8Array | string;
  readonly type?: string;
}

interface DocumentServiceOptions {
  readonly services?: ServiceChanges;
  readonly limits?: Partial<ServerLimits>;
  /** True if certificates may have time-stamp tokens. */
  readonly stamps?: boolean;
  /** Storage of the encrypted files, instead of a folder. */
  readonly objects?: ObjectStorage;
  /** By default one that all tests share. */
  readonly masterKey?: Buffer;
  /** True if the test anchors the proofs itself. */
  readonly unanchored?: boolean;
}

/** Starts a service that anchors each proof at its request, with an organisation that may upload. */
export async function startDocumentService(
  t: Pick<Test, 'teardown'>,
  options: DocumentServiceOptions = {},
) {
  return openDocumentSite(await startParts(t, options));
}

/**
 * An organisation that may upload, in a service that the tests of this process share. It anchors each
 * proof at its request. Events are those of the organisation; files and log lines those since the call.
 * With `t`, the test has an HTTP side of its own, with these options, and events are those since the call.
 */
export async function joinDocumentService(
  t?: Pick<Test, 'teardown'>,
  options: Omit<DocumentServiceOptions, 'masterKey'> = {},
) {
  if (t !== undefined) {
    const service = await joinHttpService(t, options);
    const site = await openDocumentSite(await partsOf(t, service, options));
    const before = await filesIn(site.folder);
    return { ...site, files: () => newFilesIn(site.folder, before) };
  }
  joined ??= joinParts();
  const parts = await joined;
  const { log } = parts.service;
  const [logged, before] = [log.length, await filesIn(parts.folder)];
  const store = readingFrom(parts.service.store, await parts.service.store.head());
  const service = Object.defineProperty({ ...parts.service, store }, 'log', {
    get: () => log.slice(logged),
  });
  const site = await openDocumentSite({ ...parts, service });
  const { organisationId } = site;
  return {
    ...site,
    types: () => eventTypes(service.store, organisationId),
    files: () => newFilesIn(parts.folder, before),
  };
}

let joined: ReturnType<typeof joinParts> | undefined;

/** Anchors the proofs of organisations that are opened here, not those of other tests. */
async function joinParts() {
  const shared = await joinHttpService();
  const opened = new Set<string>();
  const service: HttpService = {
    ...shared,
    async openOrganisation(...given) {
      const organisation = await shared.openOrganisation(...given);
      opened.add(organisation.organisationId);
      return organisation;
    },
  };
  const parts = await partsOf(tap, service, { unanchored: true });
  parts.anchoring.follow(tap, opened);
  return parts;
}

async function startParts(t: Pick<Test, 'teardown'>, options: DocumentServiceOptions) {
  return partsOf(t, await startHttpService(t, options), options);
}

async function partsOf(
  t: Pick<Test, 'teardown'>,
  service: HttpService,
  options: DocumentServiceOptions,
) {
  const { folder } = service;
  const {
    files: { storage },
  } = service.services;
  const anchoring = await createScriptedAnchoring(service.store, {
    signal: service.services.events.signal,
  });
  if (!options.unanchored) anchoring.follow(t);
  return { folder, storage, service, anchoring };
}

async function openDocumentSite(parts: Awaited<ReturnType<typeof startParts>>) {
  const { folder, storage, anchoring } = parts;
  const service: HttpService = parts.service;
  const organisation = await service.openOrganisation();
  const { key, workspaceId: workspace } = organisation;

  const send = (
    path: string,
    fields: Readonly<Record<string, string>>,
    { name = 'notes.txt', bytes = someText(), type }: FileToUpload = {},
    more: { readonly key?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> => {
    const body = documentForm(fields, { name, bytes, ...(type !== undefined && { type }) });
    return service.call('POST', path, { key, ...more, body });
  };
  return {
    ...organisation,
    workspace,
    service,
    anchoring,
    folder,
    storage,
    get: (path: string, as = key) => service.call('GET', path, { key: as }),
    upload: (
      file?: FileToUpload,
      fields: Readonly<Record<string, string>> = {},
      more?: Parameters<typeof send>[3],
    ) => send('/documents', { workspace, ...fields }, file, more),
    revise: (
      id: string,
      file?: FileToUpload,
      fields: Readonly<Record<string, string>> = {},
      more?: Parameters<typeof send>[3],
    ) => send(`/documents/${id}/version`, fields, file, more),
    types: () => eventTypes(service.store),
    /** Names of the stored files and of the staged ones. */
    files: () => filesIn(folder),
  };
}

interface FoundFiles {
  readonly kept: string[];
  readonly staged: string[];
}

/** Names of the files that were not there before. */
async function newFilesIn(folder: string, before: FoundFiles): Promise<FoundFiles> {
  const { kept, staged } = await filesIn(folder);
  return {
    kept: kept.filter((path) => !before.kept.includes(path)),
    staged: staged.filter((path) => !before.staged.includes(path)),
  };
}

async function filesIn(folder: string): Promise<FoundFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return {
    kept: paths.filter((path) => !path.startsWith('.staging')),
    staged: paths.filter((path) => path.startsWith('.staging')),
  };
}
