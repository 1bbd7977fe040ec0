/**
 * The clients that get the page.
 *
 * I1. A Host that is not ours gets nothing of it, as with the API.
 * I2. On this machine it has one address: at another name, where another program may answer next time, no browser keeps a key.
 * I3. Nobody is sent anywhere but to that address, whatever the path reads like.
 */
import type { Server } from "@byleave/server"
import { inboxFile } from "./inbox-files.ts"

type PageDoor = {
  readonly refused: Server["refused"]
  /** Origins that are surely this service. */
  readonly addresses: () => ReadonlySet<string>
  /** Where it listens. */
  readonly address: () => string
}

/** The response at an address of the page, or to a request under a foreign host name; null: the address is none of the page's. */
export function openPageRoutes({ refused, addresses, address }: PageDoor): (request: Request) => Response | null {
  return (request) => {
    const no = refused(request)
    if (no !== null) return no
    const page = inboxFile(request)
    if (page === null) return null
    const { host, pathname, search } = new URL(request.url)
    const isOurs = [...addresses()].some((origin) => new URL(origin).host === host)
    if (isOurs) return page
    // Put together as text, a path that begins with two slashes would name another host.
    const to = new URL(address())
    to.pathname = pathname
    to.search = search
    return redirected(to)
  }
}

function redirected(to: URL): Response {
  return new Response(null, { status: 307, headers: { location: to.href, "cache-control": "no-store" } })
}
