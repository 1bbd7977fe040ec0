import { Autocomplete } from "@base-ui/react/autocomplete"
import { Dialog as Base } from "@base-ui/react/dialog"
import { type ReactNode, useRef } from "react"
import dialogLook from "./dialog.module.css"
import look from "./palette.module.css"
import { ShownName } from "./shown-text.tsx"

export type PaletteItem = {
  readonly id: string
  /** The item's name. `isQuoted` says that others chose its words. */
  readonly name: string
  readonly words?: string
  readonly isQuoted?: boolean
}

export type PaletteGroup = { readonly title: string; readonly items: readonly PaletteItem[] }

export type PaletteProps<Item extends PaletteItem> = {
  readonly label: string
  readonly groups: ReadonlyArray<Omit<PaletteGroup, "items"> & { readonly items: readonly Item[] }>
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly onChoose: (item: Item) => void
  readonly onClose: () => void
}

/** A field over a list of things to do: arrow keys choose, Enter does it, Escape leaves. */
export function Palette<Item extends PaletteItem>({
  label,
  groups,
  query,
  onQuery,
  onChoose,
  onClose,
}: PaletteProps<Item>): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={dialogLook.backdrop} />
        <Base.Popup className={look.palette} aria-label={label} initialFocus={field}>
          <Autocomplete.Root
            inline
            open
            mode="none"
            items={groups}
            value={query}
            onValueChange={(value, { reason }) => reason !== "item-press" && onQuery(value)}
            itemToStringValue={(item: Item) => item.name}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input ref={field} className={look.field} placeholder={label} aria-label={label} />
            <Autocomplete.Empty className={look.empty}>No matches</Autocomplete.Empty>
            <Autocomplete.List className={look.list}>
              {(group: (typeof groups)[number]) => (
                <Autocomplete.Group key={group.title} items={group.items} className={look.group}>
                  <Autocomplete.GroupLabel className={look.title}>{group.title}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Item) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        className={look.item}
                        onClick={() => onChoose(item)}
                      >
                        <span className={`one-line ${look.name}`}>
                          {item.isQuoted ? <ShownName text={item.name} /> : item.name}
                        </span>
                        {item.words !== undefined && (
                          <span className="one-line aside">
                            {item.isQuoted ? <ShownName text={cut(item.words)} /> : item.words}
                          </span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <p className={look.keys} aria-hidden="true">
            <kbd>↑</kbd>
            <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
          </p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const longest = 60

/** A line is a line: the whole stands on the page it leads to. */
function cut(words: string): string {
  return words.length > longest ? `${words.slice(0, longest)}…` : words
}
