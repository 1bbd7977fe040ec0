import { useEffect, useState } from "react"

/** Whether what `key` names has been there for a while: nobody meant to press what has only just come under their finger. */
export function useSettled(key: string, afterMs: number): boolean {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), afterMs)
    return () => clearTimeout(timer)
  }, [key, afterMs])
  return settled === key
}
