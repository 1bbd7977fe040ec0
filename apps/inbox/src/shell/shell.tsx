import { useRouterState } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Notifier } from "../notify/notifier.tsx"
import { PaletteKey } from "../palette/palette-key.tsx"
import { Banners } from "./banners/banners.tsx"
import { KeysDialog } from "./keys-dialog.tsx"
import { Navigation } from "./navigation.tsx"
import { titleAt } from "./page-links.ts"
import look from "./shell.module.css"
import { ToastProvider } from "./toast.tsx"
import { useArrival } from "./use-arrival.ts"

/** The frame of every page. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  useArrival()
  const title = useRouterState({ select: (state) => titleAt(state.location.pathname) })
  return (
    <div className={look.shell}>
      <a className={look.skip} href="#content">
        Skip to content
      </a>
      <Navigation />
      <main className={look.main} id="content" tabIndex={-1}>
        <Banners />
        <Notifier page={title} />
        <ToastProvider>{children}</ToastProvider>
      </main>
      <KeysDialog />
      <PaletteKey />
    </div>
  )
}
