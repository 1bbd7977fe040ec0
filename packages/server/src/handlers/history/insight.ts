import type { InsightView } from "@byleave/api"
import type { AuditQuery } from "@byleave/core"
import { refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { answerTypes, foldedTypes, foldInsight, type TimeSpan } from "../../show/activity/fold-insight.ts"
import { opaqueSession } from "../../show/session-key.ts"
import { failureWords } from "../approvals/failure-words.ts"
import type { Handler } from "../handler.ts"

const weekMs = 7 * 24 * 60 * 60_000

export const insight: Handler<"insight"> = (service, { query }) => {
  // Events at this very millisecond are included.
  const until = query.until ?? service.time() + 1
  const since = query.since ?? Math.max(0, until - weekMs)
  if (since >= until) return refuse("bad-request", "`since` must be before `until`. Swap them, or leave one out.")
  return shared(service, { since, until }, JSON.stringify([query.since ?? null, query.until ?? null]))
}

type Counting = { readonly key: string; readonly view: Promise<InsightView>; goodUntil: number }
const newest = new WeakMap<ApiService, Counting>()
/** A count that took long is good for longer: pages that look all day never keep the service busy with it. */
const restedFor = 4

/** Pages that ask at the same moment share one count. */
function shared(service: ApiService, span: TimeSpan, key: string): Promise<InsightView> {
  const known = newest.get(service)
  if (known !== undefined && known.key === key && service.now() < known.goodUntil) return known.view
  const began = service.now()
  const counting: Counting = { key, view: counted(service, span), goodUntil: Number.POSITIVE_INFINITY }
  newest.set(service, counting)
  counting.view.then(
    () => {
      const ended = service.now()
      counting.goodUntil = ended + restedFor * (ended - began)
    },
    () => newest.delete(service),
  )
  return counting.view
}

const pageSize = 1_000

async function counted(service: ApiService, span: TimeSpan): Promise<InsightView> {
  const fold = foldInsight(span, (session) => opaqueSession(session, service.hasher))
  let after: AuditQuery["after"] = { at: span.until, writer: "", seq: 0 }
  while (after !== undefined && !service.closing.aborted) {
    const page = await service.store.records({ types: foldedTypes, after, limit: pageSize, payloads: false })
    for (const record of page) if (record.at >= span.since) fold.take(record)
    const last = page.at(-1)
    after = page.length < pageSize || last === undefined || last.at < span.since ? undefined : last
    // Others have their turn between pages, also where the store answers at once.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  await answeredLater(service, fold.unanswered(), fold.take)
  const words = await failureWords(service, fold.lastFailures())
  return fold.view((call) => words.get(call) ?? null)
}

/** Reads the answers that came after the time span to calls asked within it. */
async function answeredLater(
  service: ApiService,
  subjects: readonly string[],
  take: (record: Parameters<ReturnType<typeof foldInsight>["take"]>[0]) => void,
): Promise<void> {
  for (let from = 0; from < subjects.length; from += pageSize) {
    const some = subjects.slice(from, from + pageSize)
    const records = await service.store.records({
      subjects: some,
      types: answerTypes,
      limit: some.length * 4,
      payloads: false,
    })
    for (const record of records) take(record)
  }
}
