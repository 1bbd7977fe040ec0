/** The version people see; the same as the package's. */
export const version = "0.1.0"
