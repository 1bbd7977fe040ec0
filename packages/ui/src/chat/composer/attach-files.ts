import { type AttachedFile, largestFile } from "./attachments.ts"
import { isPicture, mostPictures, readPicture } from "./pictures.ts"

/** Text and pictures of what somebody chose, and why something of it was not attached. */
export async function readAttached(files: readonly File[], room: number, takesPictures: boolean) {
  const chosen = files.filter(isPicture)
  const untaken = takesPictures ? [] : chosen
  const texts = await Promise.all(files.filter((file) => !isPicture(file)).map(readText))
  const pictures = await Promise.all((takesPictures ? chosen.slice(0, Math.max(0, room)) : []).map(readPicture))
  return {
    texts: texts.flatMap((file) => (file.ok ? [file.file] : [])),
    pictures: pictures.flatMap((read) => (read.ok ? [read.picture] : [])),
    problems: [
      ...untaken.map(({ name }) => `${name} is a picture, and the model that is chosen takes none.`),
      ...(takesPictures && chosen.length > room ? [`A message takes ${mostPictures} pictures at the most.`] : []),
      ...[...texts, ...pictures].flatMap((read) => (read.ok ? [] : [read.why])),
    ],
  }
}

type ReadFile = { readonly ok: true; readonly file: AttachedFile } | { readonly ok: false; readonly why: string }

async function readText(file: File): Promise<ReadFile> {
  if (file.size > largestFile) return { ok: false, why: `${file.name} is larger than 200 kB and was not attached.` }
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    if (text.includes("\0")) return { ok: false, why: notText(file.name) }
    return { ok: true, file: { name: file.name, text } }
  } catch {
    return { ok: false, why: notText(file.name) }
  }
}

function notText(name: string): string {
  return `${name} is not a text file and was not attached.`
}
