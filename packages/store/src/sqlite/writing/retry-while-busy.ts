import { asStoreError, isBusy, storeError } from "../sqlite-error.ts"

/** How long other processes may keep us waiting, in all. */
const tenSeconds = 10_000
const longestWaitMs = 16

/** Tries until nobody else holds the file, without ever blocking the event loop for it. */
export async function retryWhileBusy<Result>(attempt: () => Result, patienceMs = tenSeconds): Promise<Result> {
  let waited = 0
  for (let wait = 1; ; wait = Math.min(wait * 2, longestWaitMs)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw asStoreError(error)
      if (waited >= patienceMs) throw storeError("busy", error)
    }
    // Unevenly, or processes that wait for each other would meet again and again.
    const pause = 1 + Math.random() * wait
    waited += pause
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
