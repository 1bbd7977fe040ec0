import type { ServerView, SessionView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { calledText, type PaletteGroup, type PaletteItem, rowText } from "@byleave/ui"
import type { WaitingCall } from "../data/live/waiting-table.ts"
import { pageLinks } from "../shell/page-links.ts"
import type { Theme } from "../shell/theme.ts"

/** Leads to an address of the page, or changes how it looks. Nothing in the palette decides a call. */
export type PaletteEntry = PaletteItem & ({ readonly to: string } | { readonly theme: Theme })

export type PaletteSource = {
  readonly calls: readonly WaitingCall[]
  readonly sessions: readonly SessionView[]
  readonly servers: readonly ServerView[]
}

export type PaletteEntryGroup = Omit<PaletteGroup, "items"> & { readonly items: readonly PaletteEntry[] }

/** How many of what there may be thousands of are shown; typing more finds the others. */
const most = 6

/** Returns the entries that the typed words may mean, by group. Every word must occur in an entry, in any order. */
export function paletteGroups(query: string, source: PaletteSource): readonly PaletteEntryGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isMeant = ({ name, words: more = "" }: PaletteEntry): boolean => {
    const text = `${name}\n${more}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = <Of>(all: readonly Of[], entryOf: (of: Of) => PaletteEntry): readonly PaletteEntry[] => {
    const entries: PaletteEntry[] = []
    for (const of of all) {
      const entry = entryOf(of)
      if (isMeant(entry)) entries.push(entry)
      if (entries.length === most) break
    }
    return entries
  }
  return [
    { title: "Waiting calls", items: found(source.calls, callEntry) },
    { title: "Pages", items: pages.filter(isMeant) },
    { title: "Sessions", items: found(source.sessions, sessionEntry) },
    { title: "Servers", items: found(source.servers, serverEntry) },
    { title: "Appearance", items: words.length === 0 ? [] : themes.filter(isMeant) },
    { title: "Search", items: words.length === 0 ? [] : searches(query.trim()) },
  ].filter(({ items }) => items.length > 0)
}

const connect = { path: "/connect", title: "Connect an agent", words: "The configuration of each client" }

const pages: readonly PaletteEntry[] = [...pageLinks, connect].map(({ path, title, words }) => ({
  id: `page ${path}`,
  name: title,
  words,
  to: path,
}))

const themes: readonly PaletteEntry[] = [
  { id: "theme light", name: "Light appearance", theme: "light" },
  { id: "theme dark", name: "Dark appearance", theme: "dark" },
  { id: "theme system", name: "Match the system's appearance", theme: "system" },
]

function callEntry(call: WaitingCall): PaletteEntry {
  const shown = (call.preview ?? []).map(({ text }) => text).join(", ")
  return {
    id: `call ${call.id}`,
    name: rowText(calledText(call)),
    ...(shown === "" ? {} : { words: shown }),
    isQuoted: true,
    to: `/?open=${encodeURIComponent(call.id)}`,
  }
}

function sessionEntry(session: SessionView): PaletteEntry {
  return {
    id: `session ${session.key}`,
    name: sessionName(session, session),
    isQuoted: true,
    to: `/sessions/${encodeURIComponent(session.key)}`,
  }
}

function serverEntry({ id, target }: ServerView): PaletteEntry {
  return { id: `server ${id}`, name: id, words: target, isQuoted: true, to: "/servers" }
}

function searches(query: string): readonly PaletteEntry[] {
  const text = encodeURIComponent(query)
  return [
    { id: "search waiting", name: `Waiting calls with “${query}”`, isQuoted: true, to: `/?q=${text}` },
    { id: "search activity", name: `All calls with “${query}”`, isQuoted: true, to: `/activity?text=${text}` },
  ]
}
