/** Longer reasons are refused by the service. */
export const longestReason = 2_000
