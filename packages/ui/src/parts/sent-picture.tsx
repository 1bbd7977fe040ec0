import { type ReactNode, useEffect, useState } from "react"
import look from "./sent-picture.module.css"

/** A small picture that a server sent along. It is drawn from its bytes: nobody is asked for anything, and what is in it cannot run. */
export function SentPicture({ data }: { readonly data: string }): ReactNode {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const [head = "", body = ""] = data.split(",", 2)
    const type = /^data:(image\/[a-z+]+);base64$/.exec(head)?.[1]
    if (type === undefined) return
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([bytes], { type }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return url === null ? null : <img className={look.picture} src={url} alt="" width={20} height={20} />
}
