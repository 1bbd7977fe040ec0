import { type ReactNode, useEffect, useState } from "react"
import type { PictureBytes } from "./pictures.ts"

type PictureViewProps = { readonly picture: PictureBytes; readonly alt: string; readonly className: string | undefined }

/** A picture that somebody attached, drawn from its bytes. */
export function PictureView({ picture, alt, className }: PictureViewProps): ReactNode {
  const { mediaType, data } = picture
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) return
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [mediaType, data])
  return url === null ? null : <img className={className} src={url} alt={alt} />
}
