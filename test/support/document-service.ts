import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import tap, { type Test } from 'tap';
import type { ServerLimits } from '../../src/http/server.ts';
import type { Services } from '../../src/http/services.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { newFolder } from './blobs.ts';
import { eventTypes } from './event-types.ts';
import { documentForm, someText } from './forms.ts';
import { type Answer, type HttpService, startHttpService } from './http-service.ts';
import { createScriptedAnchoring } from './scripted-anchoring.ts';

export interface FileToUpload {
  readonly name?: string;
  readonly bytes?: Uint8Array | string;
  readonly type?: string;
}

interface DocumentServiceOptions {
  readonly services?: Partial<Services>;
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
 */
export async function joinDocumentService() {
  joined ??= startParts(tap, {});
  const parts = await joined;
  const { log } = parts.service;
  const [logged, before] = [log.length, await filesIn(parts.folder)];
  const service = Object.defineProperty({ ...parts.service }, 'log', {
    get: () => log.slice(logged),
  });
  const site = await openDocumentSite({ ...parts, service });
  const { organisationId } = site;
  return {
    ...site,
    types: () => eventTypes(service.store, organisationId),
    files: async () => {
      const { kept, staged } = await filesIn(parts.folder);
      return {
        kept: kept.filter((path) => !before.kept.includes(path)),
        staged: staged.filter((path) => !before.staged.includes(path)),
      };
    },
  };
}

let joined: ReturnType<typeof startParts> | undefined;

async function startParts(t: Pick<Test, 'teardown'>, options: DocumentServiceOptions) {
  const folder = await newFolder(t);
  const service = await startHttpService(t, { ...options, folder });
  const { storage } = service.services;
  const anchoring = await createScriptedAnchoring(service.store, {
    signal: service.services.signal,
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

async function filesIn(folder: string): Promise<{ kept: string[]; staged: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return {
    kept: paths.filter((path) => !path.startsWith('.staging')),
    staged: paths.filter((path) => path.startsWith('.staging')),
  };
}
