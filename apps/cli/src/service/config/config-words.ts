/** Why the configuration's text is not shown. */
export const inStore = "Replicas share the policy in their store; the file is only used for the first start."
export const cannotMask =
  "This file contains a secret that cannot be masked here. Move it to an environment variable, or edit the file by hand."
