/** Why the configuration's text is not shown. */
export const inStore = "The policy of replicas lives in the store they share; the file only started it."
export const cannotMask =
  "A secret stands in this file in a way that cannot be masked here. Take it from an environment variable, or edit the file by hand."
