/** All requirements there are, first and last of each run. */
export const requirementRanges: ReadonlyArray<readonly [first: number, last: number]> = [[1, 216]]

/** The later pieces of work that may own what is not, or only partly, here yet. */
export const laterPieces: readonly string[] = ["agent runs"]
