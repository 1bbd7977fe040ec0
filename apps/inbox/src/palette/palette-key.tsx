import { type ComponentType, type ReactNode, useEffect, useState } from "react"

type CommandPalette = ComponentType<{ readonly onClose: () => void }>

/** Ctrl+K or Cmd+K opens the palette, also from a field; the same key closes it. It does not open before another dialog. */
export function PaletteKey(): ReactNode {
  const [Shown, setShown] = useState<CommandPalette | null>(null)
  const close = (): void => setShown(null)
  useEffect(() => {
    const toggle = async (): Promise<void> => {
      const hasDialog = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
      // While the service is away it may not load; a banner says that already.
      const loaded = hasDialog ? null : await import("./command-palette.tsx").catch(() => null)
      setShown(() => loaded?.CommandPalette ?? null)
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return
      event.preventDefault()
      void toggle()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
  return Shown === null ? null : <Shown onClose={close} />
}
