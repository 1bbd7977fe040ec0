/** Where a link of a model's text leads; null where it leads nowhere that a page should open. */
export type LinkAddress = { readonly href: string; readonly shown: string }

const longestShown = 80
const longestHost = 60

export function linkAddress(target: string | null): LinkAddress | null {
  if (target === null || !URL.canParse(target)) return null
  const url = new URL(target)
  if (url.protocol === "mailto:") return { href: url.href, shown: endOf(url.pathname, longestShown) }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null
  // Names before an @ only make an address look like another one.
  url.username = ""
  url.password = ""
  const scheme = url.protocol === "http:" ? "http://" : ""
  const path = url.pathname === "/" && url.search === "" ? "" : `${url.pathname}${url.search}`
  return { href: url.href, shown: beginningOf(`${scheme}${endOf(url.host, longestHost)}${path}`) }
}

function beginningOf(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text
}

/** Whose a host is stands at its end. */
function endOf(text: string, longest: number): string {
  return text.length > longest ? `…${text.slice(1 - longest)}` : text
}
