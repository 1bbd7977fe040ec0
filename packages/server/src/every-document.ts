import type { EpochMs, Store, StoredDocument } from "@byleave/core"

const pageSize = 500

/** All documents of a kind, read page by page. */
export async function* everyDocument(
  store: Pick<Store, "documents">,
  kind: string,
  time: () => EpochMs,
): AsyncGenerator<StoredDocument> {
  let after: string | undefined
  for (;;) {
    const page = await store.documents(kind, {
      limit: pageSize,
      now: time(),
      ...(after === undefined ? {} : { after }),
    })
    yield* page
    after = page.at(-1)?.id
    if (page.length < pageSize || after === undefined) return
  }
}
