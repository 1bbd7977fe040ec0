import { download } from "../places/download.ts"

/** Where a download goes, chunk by chunk. */
type Target = {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}

type PickedFile = { readonly createWritable: () => Promise<PickedWriter> }
type PickedWriter = {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}
type Picker = (options: { readonly suggestedName: string }) => Promise<PickedFile>

/** A file on disk where the browser can write to one, so that a large trail never lies in memory; null when the person thought better of it. */
export async function openTarget(name: string, type: string): Promise<Target | null> {
  const pick = (window as { readonly showSaveFilePicker?: Picker }).showSaveFilePicker
  if (pick === undefined) return inMemory(name, type)
  try {
    const file = await pick.call(window, { suggestedName: name })
    return await file.createWritable()
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null
    return inMemory(name, type)
  }
}

function inMemory(name: string, type: string): Target {
  let chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    write: async (chunk) => void chunks.push(chunk),
    close: async () => download(new Blob(chunks, { type }), name),
    abort: async () => {
      chunks = []
    },
  }
}

/** Copies a stream to its target and tells how much has arrived. */
export async function saveStream(
  stream: ReadableStream<Uint8Array>,
  target: Target,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let bytes = 0
  try {
    for await (const chunk of stream) {
      await target.write(chunk as Uint8Array<ArrayBuffer>)
      bytes += chunk.byteLength
      onBytes(bytes)
    }
  } catch (error) {
    await target.abort()
    throw error
  }
  await target.close()
  return bytes
}
