import { openLocalBlob } from '../files/local-files.ts';
import type { components } from '../generated/openapi.ts';
import type { FileSource } from '../hashing/file-source.ts';
import { openSource } from '../hashing/open-source.ts';

/** A stored file and its proof. */
export type Document = components['schemas']['Document'] & {
  readonly id: string;
  readonly documentId: string;
};

/** Facts about a file that is uploaded. */
export interface UploadFacts {
  /** By default the name of the file. */
  readonly fileName?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** With keys of agents only. */
  readonly agentClassification?: Readonly<Record<string, unknown>>;
}

interface NamedBlob {
  readonly blob: Blob;
  readonly name: string;
}

/** The bytes of a file, which each attempt reads again. Those of a stream are held in memory. */
export async function openBlob(
  source: FileSource,
  fileName: string | undefined,
): Promise<NamedBlob> {
  if (typeof source === 'string' || source instanceof URL) {
    const { blob, name } = await openLocalBlob(source);
    return { blob, name: fileName ?? name };
  }
  if (source instanceof Blob) {
    const { name } = source as Blob & { readonly name?: string };
    return { blob: source, name: fileName ?? (name || 'file') };
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of (await openSource(source)).chunks) parts.push(chunk.slice());
  return { blob: new Blob(parts), name: fileName ?? 'file' };
}

/** Body of an upload, and its form: one of its own for each attempt. */
export function documentForm<Fields extends Readonly<Record<string, string>>>(
  { description, metadata, agentClassification }: UploadFacts,
  { blob, name }: NamedBlob,
  fields: Fields,
) {
  const texts = {
    ...fields,
    ...(description !== undefined && { description }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
    ...(agentClassification && { agentClassification: JSON.stringify(agentClassification) }),
  };
  return {
    body: { ...texts, file: blob },
    bodySerializer(): FormData {
      const form = new FormData();
      for (const [member, text] of Object.entries(texts)) form.set(member, text);
      form.set('file', blob, name);
      return form;
    },
  };
}
