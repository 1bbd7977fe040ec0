/** A page's program could not be fetched. Named by itself: the router answers the browser's own error by loading everything anew, which
 * leaves nothing at all on the screen while the service is away. */
export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded"
}

/** Fetches a page's program; says so where that fails. */
export function fetching<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded("The code for this page could not be loaded.", { cause })
    })
}
