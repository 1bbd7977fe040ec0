/** Pictures in a message: they go to the model with it, no larger than models look at. */
export type AttachedPicture = {
  readonly name: string
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp"
  /** Base64. */
  readonly data: string
}

/** The same where a thread shows it. */
export type PictureBytes = Pick<AttachedPicture, "data"> & { readonly mediaType: string }

const types: readonly AttachedPicture["mediaType"][] = ["image/png", "image/jpeg", "image/gif", "image/webp"]

export const mostPictures = 8
/** The longer side, in pixels: models scale down what is larger. */
const longestSide = 1_568
const mostBytes = 1_500_000
const mostFileBytes = 30_000_000

export function isPictureType(type: string): type is AttachedPicture["mediaType"] {
  return types.some((each) => each === type)
}

export function isPicture(file: File): boolean {
  return file.type.startsWith("image/") && file.type !== "image/svg+xml"
}

type ReadPicture =
  | { readonly ok: true; readonly picture: AttachedPicture }
  | { readonly ok: false; readonly why: string }

export async function readPicture(file: File): Promise<ReadPicture> {
  const why = (words: string): ReadPicture => ({ ok: false, why: `${file.name} ${words} and was not attached.` })
  if (file.size > mostFileBytes) return why("is larger than 30 MB")
  const known = types.find((type) => type === file.type)
  try {
    const shown = await createImageBitmap(file)
    const isSmall = Math.max(shown.width, shown.height) <= longestSide && file.size <= mostBytes
    if (isSmall && known !== undefined) return { ok: true, picture: await asPicture(file.name, known, file) }
    const smaller = await scaled(shown)
    return { ok: true, picture: await asPicture(file.name, "image/jpeg", smaller) }
  } catch {
    return why("cannot be read as a picture")
  }
}

async function scaled(picture: ImageBitmap): Promise<Blob> {
  const factor = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * factor)),
    Math.max(1, Math.round(picture.height * factor)),
  )
  const context = canvas.getContext("2d")
  if (context === null) throw new Error("There is no canvas.")
  // A JPEG has no transparency: a picture is drawn on white, as on paper.
  context.fillStyle = "white"
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 })
}

async function asPicture(name: string, mediaType: AttachedPicture["mediaType"], blob: Blob): Promise<AttachedPicture> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let letters = ""
  const atOnce = 8_192
  for (let at = 0; at < bytes.length; at += atOnce) letters += String.fromCharCode(...bytes.subarray(at, at + atOnce))
  return { name, mediaType, data: btoa(letters) }
}
