import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { ServerLimits } from '../../src/http/server.ts';
import type { Services } from '../../src/http/services.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import { newFolder } from './blobs.ts';
import { eventTypes } from './event-types.ts';
import { documentForm, someText } from './forms.ts';
import { type Answer, startHttpService } from './http-service.ts';
import { createScriptedAnchoring } from './scripted-anchoring.ts';

export interface FileToUpload {
  readonly name?: string;
  readonly bytes?: Uint8Array | string;
  readonly type?: string;
}

/** Starts a service that anchors each proof at its request, with an organisation that may upload. */
export async function startDocumentService(
  t: Pick<Test, 'teardown'>,
  options: {
    readonly services?: Partial<Services>;
    readonly limits?: Partial<ServerLimits>;
    /** True if the test anchors the proofs itself. */
    readonly unanchored?: boolean;
  } = {},
) {
  const folder = await newFolder(t);
  const storage = options.services?.storage ?? (await FileStorage.open(folder));
  const services = { ...options.services, storage };
  const service = await startHttpService(t, { ...options, services });
  const anchoring = await createScriptedAnchoring(service.store, {
    signal: service.services.signal,
  });
  const organisation = await service.openOrganisation();
  const { key, workspaceId: workspace } = organisation;
  if (!options.unanchored) anchoring.follow(t);

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
