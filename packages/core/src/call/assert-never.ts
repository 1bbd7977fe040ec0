/** Makes the compiler refuse a `switch` that leaves a case out. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
