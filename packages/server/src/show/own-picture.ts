import type { JsonValue } from "@byleave/core"

/** An icon is a picture, not a download: what is larger is left out. */
const mostCharacters = 64 * 1024
const picture = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/

/** The first icon a server sent along as bytes. One that names an address is not shown: looking at a card asks nobody for anything. */
export function ownPicture(icons: JsonValue | undefined): string | null {
  if (!Array.isArray(icons)) return null
  for (const icon of icons) {
    const src = typeof icon === "object" && icon !== null && "src" in icon ? icon.src : undefined
    if (typeof src === "string" && src.length <= mostCharacters && picture.test(src)) return src
  }
  return null
}
