/** The result of some work, or null where that takes longer. The work goes on. */
export async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, withinMs, null)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
